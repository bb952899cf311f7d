//! Shortest and longest ways through the states of a walk.
//!
//! Invariant: where a loop makes pods (or takes time), there is no longest way through it, and that is
//! said as "no limit", never as a number.

/// A move between two states.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) from: u32,
    pub(super) to: u32,
    /// The place of the move among all that its state allows.
    pub(super) ordinal: u32,
    pub(super) pods: u32,
    /// Whether something goes wrong in it.
    pub(super) disturbed: bool,
    /// Milliseconds.
    pub(super) time: u64,
}

/// No limit.
pub(super) const ENDLESS: u64 = u64::MAX;
/// There is no way.
const NOWHERE: u64 = u64::MAX - 1;

/// What a way costs.
pub(super) type Cost = fn(&Edge) -> u64;

/// States by number, 0 the first, and the moves between them, in the order of their first state.
pub(super) struct Graph {
    pub(super) edges: Vec<Edge>,
    /// Where the moves of a state begin.
    starts: Vec<usize>,
    /// States in an order in which every move leads forward, but for those within a loop; each group is
    /// one state, or all states of a loop.
    groups: Vec<Vec<u32>>,
    group_of: Vec<u32>,
}

/// The longest, or the cheapest, ways from the first state.
pub(super) struct Ways {
    /// The cost to each state.
    pub(super) cost: Vec<u64>,
    /// The last move of the way, as a place in the edges.
    last: Vec<Option<usize>>,
}

impl Graph {
    pub(super) fn new(states: usize, edges: Vec<Edge>) -> Self {
        let mut starts = vec![edges.len(); states + 1];
        for (place, edge) in edges.iter().enumerate().rev() {
            starts[edge.from as usize] = place;
        }
        for state in (0..states).rev() {
            if starts[state] == edges.len() {
                starts[state] = starts[state + 1];
            }
        }
        let mut graph = Self { edges, starts, groups: Vec::new(), group_of: vec![u32::MAX; states] };
        graph.find_loops();
        graph
    }

    fn range(&self, state: u32) -> std::ops::Range<usize> {
        let (first, end) = (self.starts[state as usize], self.starts[state as usize + 1]);
        first.min(end)..end
    }

    /// Tarjan's algorithm without recursion.
    fn find_loops(&mut self) {
        let states = self.group_of.len();
        let (mut order, mut low) = (vec![0_u32; states], vec![0_u32; states]);
        let (mut open, mut path, mut count) = (Vec::new(), vec![(0_u32, 0_usize)], 0_u32);
        while let Some((state, edge)) = path.last().copied() {
            let at = state as usize;
            if order[at] == 0 {
                count += 1;
                (order[at], low[at]) = (count, count);
                open.push(state);
            }
            let range = self.range(state);
            if let Some(found) = self.edges.get(range.start + edge).filter(|_| range.start + edge < range.end) {
                let to = found.to as usize;
                if let Some(top) = path.last_mut() {
                    top.1 += 1;
                }
                if order[to] == 0 {
                    path.push((found.to, 0));
                } else if self.group_of[to] == u32::MAX {
                    low[at] = low[at].min(order[to]);
                }
                continue;
            }
            path.pop();
            if let Some((above, _)) = path.last() {
                low[*above as usize] = low[*above as usize].min(low[at]);
            }
            if low[at] == order[at] {
                self.close(state, &mut open);
            }
        }
        self.groups.reverse();
    }

    fn close(&mut self, state: u32, open: &mut Vec<u32>) {
        let mut group = Vec::new();
        let number = u32::try_from(self.groups.len()).unwrap_or(u32::MAX - 1);
        while let Some(member) = open.pop() {
            self.group_of[member as usize] = number;
            group.push(member);
            if member == state {
                break;
            }
        }
        self.groups.push(group);
    }

    fn is_within(&self, edge: &Edge) -> bool {
        self.group_of[edge.from as usize] == self.group_of[edge.to as usize]
    }

    /// The longest ways from the first state to each.
    pub(super) fn longest(&self, cost: Cost) -> Ways {
        let states = self.group_of.len();
        let mut longest = Ways { cost: vec![NOWHERE; states], last: vec![None; states] };
        if let Some(first) = longest.cost.first_mut() {
            *first = 0;
        }
        for group in &self.groups {
            self.spread_within(group, cost, &mut longest);
            for state in group {
                let so_far = longest.cost[*state as usize];
                for place in self.range(*state).filter(|place| !self.is_within(&self.edges[*place])) {
                    let edge = &self.edges[place];
                    longest.offer(edge.to, sum(so_far, cost(edge)), Some(place));
                }
            }
        }
        longest
    }

    /// The states of a loop are all as far as the farthest of them.
    fn spread_within(&self, group: &[u32], cost: Cost, longest: &mut Ways) {
        let within: Vec<usize> =
            group.iter().flat_map(|s| self.range(*s)).filter(|place| self.is_within(&self.edges[*place])).collect();
        if within.is_empty() {
            return;
        }
        let reached = group.iter().filter(|state| longest.cost[**state as usize] != NOWHERE);
        let Some(farthest) = reached.max_by_key(|state| longest.cost[**state as usize]).copied() else { return };
        let grows = within.iter().any(|place| cost(&self.edges[*place]) > 0);
        let value = if grows { ENDLESS } else { longest.cost[farthest as usize] };
        longest.cost[farthest as usize] = value;
        let mut reached = vec![farthest];
        while let Some(state) = reached.pop() {
            for place in self.range(state).filter(|place| self.is_within(&self.edges[*place])) {
                let to = self.edges[place].to;
                if to != farthest && longest.cost[to as usize] != value {
                    (longest.cost[to as usize], longest.last[to as usize]) = (value, Some(place));
                    reached.push(to);
                }
            }
        }
    }

    /// The cheapest ways from the first state to each.
    pub(super) fn cheapest(&self, cost: Cost) -> Ways {
        let states = self.group_of.len();
        let mut cheapest = Ways { cost: vec![NOWHERE; states], last: vec![None; states] };
        if let Some(first) = cheapest.cost.first_mut() {
            *first = 0;
        }
        loop {
            let mut changed = false;
            for (place, edge) in self.edges.iter().enumerate() {
                let there = sum(cheapest.cost[edge.from as usize], cost(edge));
                if there < cheapest.cost[edge.to as usize] {
                    (cheapest.cost[edge.to as usize], cheapest.last[edge.to as usize]) = (there, Some(place));
                    changed = true;
                }
            }
            if !changed {
                return cheapest;
            }
        }
    }

    /// How many ways lead to each state; `ENDLESS` behind a loop.
    pub(super) fn ways(&self) -> Vec<u64> {
        let mut ways = vec![0_u64; self.group_of.len()];
        if let Some(first) = ways.first_mut() {
            *first = 1;
        }
        for group in &self.groups {
            let looped = group.iter().flat_map(|s| self.range(*s)).any(|place| self.is_within(&self.edges[place]));
            for state in group {
                if looped {
                    ways[*state as usize] = ENDLESS;
                }
                let here = ways[*state as usize];
                for edge in self.range(*state).map(|place| &self.edges[place]).filter(|edge| !self.is_within(edge)) {
                    let there = &mut ways[edge.to as usize];
                    *there = there.saturating_add(here);
                }
            }
        }
        ways
    }

    /// The moves of such a way to a state, as places in the edges.
    pub(super) fn way(&self, longest: &Ways, state: u32) -> Vec<usize> {
        let mut way = Vec::new();
        let mut here = state;
        while let Some(place) = longest.last.get(here as usize).copied().flatten() {
            way.push(place);
            here = self.edges[place].from;
            if way.len() > self.edges.len() {
                break;
            }
        }
        way.reverse();
        way
    }
}

impl Ways {
    fn offer(&mut self, to: u32, cost: u64, last: Option<usize>) {
        let there = &mut self.cost[to as usize];
        if *there == NOWHERE || *there < cost {
            (*there, self.last[to as usize]) = (cost, last);
        }
    }
}

/// A cost and one more; what is endless or nowhere stays so.
const fn sum(so_far: u64, more: u64) -> u64 {
    if so_far >= NOWHERE { so_far } else { so_far + more }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(states: usize, edges: &[(u32, u32, u32)]) -> Graph {
        let edges = edges.iter().map(|(from, to, pods)| Edge {
            from: *from,
            to: *to,
            ordinal: 0,
            disturbed: false,
            pods: *pods,
            time: 1,
        });
        Graph::new(states, edges.collect())
    }

    const PODS: Cost = |edge| edge.pods as u64;
    const TIME: Cost = |edge| edge.time;

    #[test]
    fn ways_without_loops() {
        let graph = graph(4, &[(0, 1, 1), (0, 2, 5), (1, 3, 1), (2, 3, 0)]);
        let longest = graph.longest(PODS);
        assert_eq!(longest.cost, [0, 1, 5, 5]);
        assert_eq!(graph.way(&longest, 3), [1, 3]);
        assert_eq!(graph.cheapest(PODS).cost, [0, 1, 5, 2]);
        assert_eq!(graph.ways(), [1, 1, 1, 2]);
    }

    #[test]
    fn a_loop_has_no_longest_way_but_for_what_it_does_not_cost() {
        // 1 and 2 are a loop without pods; 4 makes a pod for ever.
        let graph = graph(6, &[(0, 1, 2), (1, 2, 0), (2, 1, 0), (2, 3, 1), (3, 4, 0), (4, 4, 1), (4, 5, 0)]);
        let longest = graph.longest(PODS);
        assert_eq!(longest.cost, [0, 2, 2, 3, ENDLESS, ENDLESS]);
        assert_eq!(graph.way(&longest, 3), [0, 1, 3]);
        assert_eq!(graph.longest(TIME).cost, [0, ENDLESS, ENDLESS, ENDLESS, ENDLESS, ENDLESS]);
        assert_eq!(graph.cheapest(TIME).cost, [0, 1, 2, 3, 4, 5]);
        assert_eq!(graph.ways(), [1, ENDLESS, ENDLESS, ENDLESS, ENDLESS, ENDLESS]);
    }
}
