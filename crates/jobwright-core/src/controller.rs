//! placeholder while the interface is agreed
use crate::input::Input;
use crate::output::Output;
use crate::record::Trace;
use crate::time::Timestamp;
/// How a controller works.
#[derive(Clone, Debug)]
pub struct Config {
    /// Jobs that are synced at the same time; upstream's default is 5 (EVQ-10).
    pub concurrent_syncs: usize,
}
/// The Job controller for any number of Jobs.
#[derive(Clone, Debug)]
pub struct Controller<T> {
    trace: T,
}
impl<T: Trace> Controller<T> {
    /// A controller that has seen nothing yet.
    pub fn new(_config: Config, trace: T) -> Self {
        Self { trace }
    }
    /// Takes in one thing that happened.
    pub fn handle(&mut self, _input: Input, _now: Timestamp) {}
    /// The next thing to do; call it until it answers [`Output::Sleep`].
    pub fn poll(&mut self, _now: Timestamp) -> Output {
        Output::Sleep(None)
    }
    /// The decisions.
    pub fn trace_mut(&mut self) -> &mut T {
        &mut self.trace
    }
}
