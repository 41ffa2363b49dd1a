//! What `docs/benchmarks.md` reports: ratios of two things measured side by side in one run, the median of five.
//!
//! `bench` measures; `bench errors` measures the explanations alone, without a server; `bench bare SIZE` is the constant
//! responder that reads are held against.

mod bare;
mod comparison;
mod errors;
mod evaluation;
mod hearing;
mod load;
mod many;
mod pages;
mod publish;
mod queue;
mod reads;
mod report;
mod start;
mod watchers;

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
            watchers::measure();
            hearing::measure();
        }
        ["errors"] => errors::measure(),
        ["comparison"] => comparison::measure(),
        ["many"] => many::measure(),
        ["publish"] => publish::measure(),
        ["start"] => start::measure(),
        ["pages"] => pages::measure(),
        ["watchers"] => watchers::measure(),
        ["hearing"] => hearing::measure(),
        _ => eprintln!(
            "usage: bench [comparison | errors | hearing | many | pages | publish | start | watchers | bare SIZE]"
        ),
    }
}
