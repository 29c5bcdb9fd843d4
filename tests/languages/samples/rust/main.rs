mod total;
use std::io::Read;

fn deep(n: i64) -> i64 { if n == 0 { 0 } else { 1 + std::hint::black_box(deep(n - 1)) } }

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let mut words = text.split_whitespace();
    let mode = words.next().unwrap();
    let numbers: Vec<i64> = words.map(|word| word.parse().unwrap()).collect();
    match mode {
        "sum" => println!("{}", total::total(&numbers)),
        "deep" => println!("{}", deep(numbers[0])),
        "memory" => println!("{}", std::hint::black_box(vec![1u8; (numbers[0] as usize) << 20]).len()),
        "loop" => loop { std::hint::black_box(()); },
        _ => panic!("failed"),
    }
}
