// Texts that code without derivative fills, beside numbers: the shadow of such a String is that of an empty one, whose
// address is none.
type Foreign = extern "C" fn(*const f64, usize) -> f64;

extern "C" {
    fn __enzyme_autodiff(f: Foreign, dup: i32, x: *const f64, dx: *mut f64, constant: i32, n: usize);
    fn __enzyme_fwddiff(f: Foreign, dup: i32, x: *const f64, dx: *const f64, constant: i32, n: usize) -> f64;
    static enzyme_dup: i32;
    static enzyme_const: i32;
}

type State = (f64, f64);

trait System {
    fn rate(&self, state: State) -> State;
    fn name(&self) -> String {
        "system".into()
    }
}
struct Plain {
    rate: f64,
}
struct Named {
    rate: f64,
    label: String,
}
impl System for Plain {
    fn rate(&self, state: State) -> State {
        (state.1 * self.rate, state.0)
    }
}
impl System for Named {
    fn rate(&self, state: State) -> State {
        (state.1, state.0 * self.rate)
    }
    fn name(&self) -> String {
        format!("{}+", self.label)
    }
}

fn path(system: &dyn System, mut state: State, steps: usize) -> Vec<State> {
    let mut states = vec![state];
    for _ in 0..steps {
        let rate = system.rate(state);
        state = (state.0 + rate.0, state.1 + rate.1);
        states.push(state);
    }
    states
}

fn named_systems(x: &[f64]) -> f64 {
    let systems: Vec<Box<dyn System>> = vec![
        Box::new(Plain { rate: x[0] }),
        Box::new(Named { rate: x[1], label: "named".into() }),
    ];
    systems
        .iter()
        .map(|system| {
            let states = path(system.as_ref(), (x[2], x[3]), 6);
            states[2].0 * states[3].1 + system.name().len() as f64
        })
        .sum()
}

#[inline(never)]
extern "C" fn foreign(x: *const f64, n: usize) -> f64 {
    named_systems(unsafe { std::slice::from_raw_parts(x, n) })
}

fn main() {
    let x = [0.7, 0.4, 1.3, 0.9];
    let mut gradient = [0.0; 4];
    unsafe { __enzyme_autodiff(foreign, enzyme_dup, x.as_ptr(), gradient.as_mut_ptr(), enzyme_const, 4) };
    let mut is_right = true;
    for i in 0..4 {
        let (mut above, mut below, mut direction) = (x, x, [0.0; 4]);
        above[i] += 1e-5;
        below[i] -= 1e-5;
        direction[i] = 1.0;
        let slope = (foreign(above.as_ptr(), 4) - foreign(below.as_ptr(), 4)) / 2e-5;
        let tangent = unsafe { __enzyme_fwddiff(foreign, enzyme_dup, x.as_ptr(), direction.as_ptr(), enzyme_const, 4) };
        if (gradient[i] - slope).abs() > 1e-6 || (tangent - slope).abs() > 1e-6 {
            println!("element {i}: reverse {}, forward {tangent}, differences {slope}", gradient[i]);
            is_right = false;
        }
    }
    std::process::exit(if is_right { 0 } else { 1 });
}
