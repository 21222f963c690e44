//! Immediate dominators, computed with the algorithm of Lengauer and Tarjan with path compression:
//! O(m log n) for any graph. (The iterative algorithm of Cooper, Harvey and Kennedy is quadratic if
//! many edges lead to one node.)

const NONE: u32 = u32::MAX;

/// Neighbors of each node, in the order of the edges.
struct Neighbors {
    starts: Vec<u32>,
    list: Vec<u32>,
}

impl Neighbors {
    fn new(nodes: usize, edges: impl Iterator<Item = (u32, u32)> + Clone) -> Self {
        let mut starts = vec![0; nodes + 1];
        edges.clone().for_each(|(from, _)| starts[from as usize + 1] += 1);
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut list = vec![0; starts[nodes] as usize];
        for (from, to) in edges {
            list[next[from as usize] as usize] = to;
            next[from as usize] += 1;
        }
        Self { starts, list }
    }

    fn of(&self, node: u32) -> &[u32] {
        &self.list[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }
}

/// State of the algorithm. Nodes are identified by their depth-first numbers.
struct Forest {
    semi: Vec<u32>,
    label: Vec<u32>,
    ancestor: Vec<u32>,
    path: Vec<u32>,
}

impl Forest {
    /// Returns the node with the smallest semidominator on the path from `node` up to the root of
    /// its tree, excluding that root.
    fn evaluate(&mut self, node: u32) -> u32 {
        if self.ancestor[node as usize] == NONE {
            return node;
        }
        let mut at = node;
        while self.ancestor[self.ancestor[at as usize] as usize] != NONE {
            self.path.push(at);
            at = self.ancestor[at as usize];
        }
        while let Some(at) = self.path.pop().map(|at| at as usize) {
            let above = self.ancestor[at] as usize;
            if self.semi[self.label[above] as usize] < self.semi[self.label[at] as usize] {
                self.label[at] = self.label[above];
            }
            self.ancestor[at] = self.ancestor[above];
        }
        self.label[node as usize]
    }
}

/// Returns the immediate dominator of each of `nodes` nodes in the graph of `edges` from `root`;
/// `None` for the root and for unreachable nodes.
pub fn immediate(
    nodes: usize,
    root: u32,
    edges: impl Iterator<Item = (u32, u32)> + Clone,
) -> Vec<Option<u32>> {
    let successors = Neighbors::new(nodes, edges.clone());
    let predecessors = Neighbors::new(nodes, edges.map(|(from, to)| (to, from)));
    // Depth-first walk: the number of each node, the nodes by number, and the number of each node's
    // parent.
    let (mut number, mut order, mut parent) = (vec![NONE; nodes], Vec::new(), Vec::new());
    let mut open = vec![(root, NONE)];
    while let Some((node, from)) = open.pop() {
        if number[node as usize] == NONE {
            number[node as usize] = order.len() as u32;
            parent.push(from);
            order.push(node);
            let here = number[node as usize];
            open.extend(successors.of(node).iter().rev().map(|to| (*to, here)));
        }
    }
    let count = order.len();
    let numbers: Vec<u32> = (0..count as u32).collect();
    let mut forest =
        Forest { semi: numbers.clone(), label: numbers, ancestor: vec![NONE; count], path: Vec::new() };
    let mut above = vec![0_u32; count];
    // Linked lists of the nodes with each semidominator.
    let (mut first, mut next) = (vec![NONE; count], vec![NONE; count]);
    for at in (1..count).rev() {
        for from in predecessors.of(order[at]).iter().map(|from| number[*from as usize]) {
            if from != NONE {
                let least = forest.evaluate(from);
                forest.semi[at] = forest.semi[at].min(forest.semi[least as usize]);
            }
        }
        let semi = forest.semi[at] as usize;
        next[at] = std::mem::replace(&mut first[semi], at as u32);
        forest.ancestor[at] = parent[at];
        let mut waiting = std::mem::replace(&mut first[parent[at] as usize], NONE);
        while waiting != NONE {
            let least = forest.evaluate(waiting) as usize;
            let before = forest.semi[least] < forest.semi[waiting as usize];
            above[waiting as usize] = if before { least as u32 } else { parent[at] };
            waiting = next[waiting as usize];
        }
    }
    let mut immediate = vec![None; nodes];
    for at in 1..count {
        if above[at] != forest.semi[at] {
            above[at] = above[above[at] as usize];
        }
        immediate[order[at] as usize] = Some(order[above[at] as usize]);
    }
    immediate
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Applies the definition: `a` dominates `b` if `b` cannot be reached without `a`.
    fn by_definition(nodes: usize, edges: &[(u32, u32)]) -> Vec<Option<u32>> {
        let reached = |without: Option<u32>| {
            let mut seen = vec![false; nodes];
            let mut open = if without == Some(0) { Vec::new() } else { vec![0] };
            while let Some(node) = open.pop() {
                if !std::mem::replace(&mut seen[node as usize], true) {
                    let next = edges.iter().filter(|(from, to)| *from == node && Some(*to) != without);
                    open.extend(next.map(|(_, to)| *to));
                }
            }
            seen
        };
        let all = reached(None);
        let without: Vec<Vec<bool>> = (0..nodes as u32).map(|node| reached(Some(node))).collect();
        let dominates = |a: usize, b: usize| a != b && all[b] && !without[a][b];
        let immediate = |b: usize| {
            let of = (0..nodes).filter(|a| dominates(*a, b));
            // The nearest dominator is dominated by all others.
            of.max_by_key(|a| (0..nodes).filter(|other| dominates(*other, *a)).count()).map(|a| a as u32)
        };
        (0..nodes).map(immediate).collect()
    }

    #[test]
    fn dominators_agree_with_the_definition() {
        let mut state = 1_u64;
        let mut draw = |below: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % u64::from(below)) as u32
        };
        for round in 0..400 {
            let nodes = 1 + draw(12);
            let count = draw(2 * nodes + 1 + round % 7);
            let edges: Vec<(u32, u32)> = (0..count).map(|_| (draw(nodes), draw(nodes))).collect();
            let found = immediate(nodes as usize, 0, edges.iter().copied());
            assert_eq!(found, by_definition(nodes as usize, &edges), "{nodes} nodes, {edges:?}");
        }
    }
}
