//! Pairs of measurements, and the line that tells of them.

/// Pairs that are measured, after one that is not counted.
pub const PAIRS: usize = 5;

/// Measures `ours` and `theirs` in turn, and prints the medians and the median ratio `ours / theirs`.
pub fn compare(name: &str, unit: &str, bound: &str, mut ours: impl FnMut() -> f64, mut theirs: impl FnMut() -> f64) {
    compare_pairs(name, unit, bound, || (ours(), theirs()));
}

/// As [`compare`], for what is measured as `(ours, theirs)` at once.
pub fn compare_pairs(name: &str, unit: &str, bound: &str, mut pair: impl FnMut() -> (f64, f64)) {
    let mut pairs: Vec<(f64, f64)> = (0..=PAIRS).map(|_| pair()).collect();
    pairs.remove(0);
    let ratio = median(pairs.iter().map(|(ours, theirs)| ours / theirs).collect());
    let (ours, theirs) =
        (median(pairs.iter().map(|pair| pair.0).collect()), median(pairs.iter().map(|pair| pair.1).collect()));
    println!("{name:<64} {ours:>9.2} {unit:<12} against {theirs:>9.2}   ratio {ratio:.2}   (bound {bound})");
}

/// The middle of an odd number of values.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The value that the share `part` of all does not exceed.
pub fn quantile(values: &[f64], part: f64) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let place = (values.len() as f64 * part).ceil() as usize;
    values[place.clamp(1, values.len()) - 1]
}
