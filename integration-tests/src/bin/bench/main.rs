//! What `docs/benchmarks.md` reports: ratios of two things measured side by side in one run, the median of five.
//!
//! `bench` measures; `bench errors` measures the explanations alone, without a server; `bench bare SIZE` is the constant
//! responder that reads are held against.

mod bare;
mod comparison;
mod errors;
mod evaluation;
mod load;
mod many;
mod pages;
mod publish;
mod queue;
mod reads;
mod report;
mod start;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["bare", size] => bare::serve(size.parse().expect("the size is a number of bytes")),
        [] => {
            println!("Ratios of one run on this machine; medians of {} pairs.\n", report::PAIRS);
            reads::measure();
            evaluation::measure();
            many::measure();
            errors::measure();
            comparison::measure();
            queue::measure();
            publish::measure();
            start::measure();
            pages::measure();
        }
        ["errors"] => errors::measure(),
        ["comparison"] => comparison::measure(),
        ["many"] => many::measure(),
        ["publish"] => publish::measure(),
        ["start"] => start::measure(),
        ["pages"] => pages::measure(),
        _ => eprintln!("usage: bench [comparison | errors | many | pages | publish | start | bare SIZE]"),
    }
}
