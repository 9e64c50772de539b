// Programs of Rust that ask for derivatives by the C convention: each f(&[f64]) -> f64 is checked in both modes against
// central differences. What is wrong is printed; then the program ends with 1.
use std::cell::RefCell;
use std::collections::{BTreeMap, BinaryHeap, HashMap, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;

type Foreign = extern "C" fn(*const f64, usize) -> f64;
extern "C" {
    fn __enzyme_autodiff(f: Foreign, dup: i32, x: *const f64, dx: *mut f64, constant: i32, n: usize);
    fn __enzyme_fwddiff(f: Foreign, dup: i32, x: *const f64, dx: *const f64, constant: i32, n: usize) -> f64;
    static enzyme_dup: i32;
    static enzyme_const: i32;
}

fn iterators(x: &[f64]) -> f64 {
    let squares: Vec<f64> = x.iter().map(|a| a * a).collect();
    let mut grown = Vec::new();
    for (i, a) in squares.iter().enumerate() {
        if i % 2 == 0 {
            grown.push(a.sin());
        } else {
            grown.push(a * 3.0);
            grown.push(a.exp());
        }
    }
    grown.iter().zip(x.iter().cycle()).map(|(a, b)| a * b).sum()
}

trait Shape {
    fn area(&self) -> f64;
}
struct Circle(f64);
struct Strip(Vec<f64>);
impl Shape for Circle {
    fn area(&self) -> f64 {
        3.0 * self.0 * self.0
    }
}
impl Shape for Strip {
    fn area(&self) -> f64 {
        self.0.windows(2).map(|side| side[0] * side[1]).sum()
    }
}
fn trait_objects(x: &[f64]) -> f64 {
    let shapes: Vec<Box<dyn Shape>> = vec![Box::new(Circle(x[0])), Box::new(Strip(x[1..].to_vec()))];
    shapes.iter().map(|shape| shape.area().ln()).sum()
}

fn closures(x: &[f64]) -> f64 {
    let mut steps: Vec<Box<dyn Fn(f64) -> f64>> = Vec::new();
    for (i, &a) in x.iter().enumerate() {
        if i % 2 == 0 {
            steps.push(Box::new(move |y| a * y + 0.1));
        } else {
            steps.push(Box::new(move |y| (a * y).sin()));
        }
    }
    steps.iter().fold(x[0], |y, step| step(y))
}

enum Expression {
    Number(f64),
    Variable(usize),
    Sum(Box<Expression>, Box<Expression>),
    Product(Box<Expression>, Box<Expression>),
    Sine(Box<Expression>),
    Power(Box<Expression>, i32),
}
use Expression::*;
fn value(of: &Expression, x: &[f64]) -> f64 {
    match of {
        Number(v) => *v,
        Variable(i) => x[*i],
        Sum(a, b) => value(a, x) + value(b, x),
        Product(a, b) => value(a, x) * value(b, x),
        Sine(a) => value(a, x).sin(),
        Power(a, n) => value(a, x).powi(*n),
    }
}
fn expressions(x: &[f64]) -> f64 {
    let mut e = Number(x[0]);
    for i in 0..x.len() {
        e = match i % 3 {
            0 => Sum(Box::new(e), Box::new(Sine(Box::new(Variable(i))))),
            1 => Product(Box::new(e), Box::new(Number(x[i] * 2.0))),
            _ => Power(Box::new(Sum(Box::new(e), Box::new(Variable(i)))), 2),
        };
    }
    value(&e, x).ln()
}

/// A number or a message, of which the third word is a length that nothing reads here.
#[inline(never)]
fn checked(of: &Expression, x: &[f64]) -> Result<f64, String> {
    Ok(match of {
        Number(v) => *v,
        Variable(i) => *x.get(*i).ok_or("no such input")?,
        Sum(a, b) => checked(a, x)? + checked(b, x)?,
        Product(a, b) => checked(a, x)? * checked(b, x)?,
        other => value(other, x),
    })
}
fn checked_expressions(x: &[f64]) -> f64 {
    let variable = |i| Box::new(Variable(i));
    let rest = Sum(Box::new(Sine(variable(2))), Box::new(Number(0.5)));
    let e = Sum(Box::new(Product(variable(0), variable(1))), Box::new(rest));
    checked(&e, x).unwrap_or(-1.0) * checked(&e, &x[1..]).unwrap_or(-1.0)
}

fn collections(x: &[f64]) -> f64 {
    let mut map: BTreeMap<i32, (f64, usize)> = BTreeMap::new();
    for (i, a) in x.iter().enumerate() {
        map.insert((i as i32 * 7) % 5, (a.cos(), i));
    }
    let mut queue: VecDeque<f64> = VecDeque::new();
    for (key, (v, i)) in &map {
        queue.push_back(v * (*key as f64 + 1.0) + x[*i]);
        if queue.len() > 2 {
            let first = queue.pop_front().unwrap();
            queue.push_back(first * 0.5);
        }
    }
    queue.iter().product()
}

/// The keys themselves, so that the order is the same in every run.
#[derive(Default)]
struct Spread(u64);
impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0.wrapping_mul(0x9E3779B97F4A7C15)
    }
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0.wrapping_mul(31) + *byte as u64);
    }
}
type MapOf<K, V> = HashMap<K, V, BuildHasherDefault<Spread>>;
type Map<V> = MapOf<u32, V>;

fn hashed_sums(x: &[f64]) -> f64 {
    let mut sums: Map<f64> = HashMap::default();
    for (i, a) in x.iter().enumerate() {
        *sums.entry(i as u32 % 3).or_insert(0.0) += a * a;
    }
    (0..3).filter_map(|key| sums.get(&key).map(|sum| sum.sin() * (key as f64 + 1.0))).sum()
}

fn hashed_vectors(x: &[f64]) -> f64 {
    let mut vectors: Map<Vec<f64>> = HashMap::default();
    for (i, a) in x.iter().enumerate() {
        vectors.entry(i as u32 % 3).or_default().push(a * a);
    }
    (0..3).filter_map(|key| vectors.get(&key).map(|all| all.iter().sum::<f64>() * (key as f64 + 1.0))).sum()
}

fn named_vectors(x: &[f64]) -> f64 {
    let mut vectors: MapOf<String, Vec<f64>> = HashMap::default();
    for (i, a) in x.iter().enumerate() {
        vectors.entry(format!("k{}", i % 2)).or_default().push(a * a);
    }
    ["k0", "k1"].iter().map(|key| vectors[*key].iter().map(|a| a.exp()).sum::<f64>()).product()
}

fn sorted(x: &[f64]) -> f64 {
    let mut falling = x.to_vec();
    falling.sort_by(|a, b| b.partial_cmp(a).unwrap());
    let median = falling[falling.len() / 2];
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_unstable_by(|&i, &j| x[i].total_cmp(&x[j]));
    order.iter().enumerate().map(|(rank, &i)| (rank as f64 + 1.0) * x[i] * median).sum()
}

struct Branch {
    length: f64,
    twigs: RefCell<Vec<Rc<Branch>>>,
}
fn grown(branch: &Rc<Branch>, scale: f64) -> f64 {
    let twigs = branch.twigs.borrow();
    branch.length * scale + twigs.iter().map(|twig| grown(twig, scale * 0.7 * branch.length)).sum::<f64>()
}
fn shared(x: &[f64]) -> f64 {
    let branch = |length| Rc::new(Branch { length, twigs: RefCell::new(vec![]) });
    let mut all = vec![branch(x[0])];
    for (i, a) in x.iter().enumerate().skip(1) {
        let twig = branch(a.sin());
        all[(i - 1) / 2].twigs.borrow_mut().push(twig.clone());
        all.push(twig);
    }
    grown(&all[0], 1.0)
}

struct Link {
    number: f64,
    next: Option<Box<Link>>,
}
fn lists(x: &[f64]) -> f64 {
    let mut head: Option<Box<Link>> = None;
    for &a in x {
        head = Some(Box::new(Link { number: a * a, next: head.take() }));
    }
    let mut turned = None;
    while let Some(mut link) = head {
        head = link.next.take();
        link.number += 0.3;
        link.next = turned;
        turned = Some(link);
    }
    let mut result = 1.0f64;
    let mut place = turned.as_ref();
    while let Some(link) = place {
        result = result * 0.8 + link.number * result.sin();
        place = link.next.as_ref();
    }
    result
}

#[derive(PartialEq)]
struct Reached(f64, usize);
impl Eq for Reached {}
impl PartialOrd for Reached {
    fn partial_cmp(&self, other: &Reached) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Reached {
    fn cmp(&self, other: &Reached) -> std::cmp::Ordering {
        other.0.partial_cmp(&self.0).unwrap()
    }
}
fn shortest_ways(x: &[f64]) -> f64 {
    let n = x.len();
    let length = |i: usize, j: usize| (x[i] * x[j]).abs() + 0.1 + x[(i + j) % n] * x[(i + j) % n];
    let mut distance = vec![f64::INFINITY; n];
    distance[0] = 0.0;
    let mut heap = BinaryHeap::new();
    heap.push(Reached(0.0, 0));
    while let Some(Reached(cost, i)) = heap.pop() {
        if cost > distance[i] {
            continue;
        }
        for j in [(i + 1) % n, (i * 2 + 1) % n] {
            let next = cost + length(i, j);
            if next < distance[j] {
                distance[j] = next;
                heap.push(Reached(next, j));
            }
        }
    }
    distance.iter().sum()
}

fn solved(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Result<Vec<f64>, String> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().partial_cmp(&a[j][k].abs()).unwrap()).unwrap();
        if a[pivot][k] == 0.0 {
            return Err(format!("singular at {}", k));
        }
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            for j in k..n {
                let above = a[k][j];
                a[i][j] -= factor * above;
            }
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        for j in k + 1..n {
            let known = a[k][j] * b[j];
            b[k] -= known;
        }
        b[k] /= a[k][k];
    }
    Ok(b)
}
fn linear_systems(x: &[f64]) -> f64 {
    let row = |i: usize| (0..3).map(|j| x[(i + 2 * j) % x.len()] + if i == j { 2.0 } else { 0.0 }).collect();
    match solved((0..3).map(row).collect(), x[..3].to_vec()) {
        Ok(solution) => solution.iter().map(|v| v * v).sum(),
        Err(_) => 0.0,
    }
}

fn is_right(name: &str, f: Foreign) -> bool {
    let n = 6;
    let x: Vec<f64> = (0..n).map(|i| 0.7 + 0.37 * (i as f64) - 0.05 * ((i * i) as f64)).collect();
    let mut gradient = vec![0.0; n];
    unsafe { __enzyme_autodiff(f, enzyme_dup, x.as_ptr(), gradient.as_mut_ptr(), enzyme_const, n) };
    let mut right = true;
    for i in 0..n {
        let step = 1e-5;
        let (mut above, mut below, mut direction) = (x.clone(), x.clone(), vec![0.0; n]);
        above[i] += step;
        below[i] -= step;
        direction[i] = 1.0;
        let slope = (f(above.as_ptr(), n) - f(below.as_ptr(), n)) / (2.0 * step);
        let tangent = unsafe { __enzyme_fwddiff(f, enzyme_dup, x.as_ptr(), direction.as_ptr(), enzyme_const, n) };
        let tolerance = 1e-6 * (1.0 + slope.abs());
        let is_close = |derivative: f64| (derivative - slope).abs() < tolerance;
        if !is_close(gradient[i]) || !is_close(tangent) {
            println!("{name}[{i}]: reverse {}, forward {tangent}, differences {slope}", gradient[i]);
            right = false;
        }
    }
    right
}

macro_rules! check {
    ($($function:ident)*) => {{
        let mut right = true;
        $({
            #[inline(never)]
            extern "C" fn foreign(x: *const f64, n: usize) -> f64 {
                $function(unsafe { std::slice::from_raw_parts(x, n) })
            }
            right &= is_right(stringify!($function), foreign);
        })*
        right
    }};
}

fn main() {
    let right = check!(iterators trait_objects closures expressions checked_expressions collections hashed_sums hashed_vectors named_vectors sorted shared lists shortest_ways linear_systems);
    std::process::exit(if right { 0 } else { 1 });
}
