//! Call graphs. The nodes are functions, followed by the signatures of indirect calls. A signature
//! has an edge to every function that a pointer of this signature may hold. This keeps the number
//! of edges linear: no edge is needed for each pair of an indirect call and a function.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use std::collections::BTreeSet;

/// A call graph with its strongly connected components.
#[derive(Debug, Default)]
pub struct CallGraph {
    /// Callees of each node.
    callees: Vec<Vec<u32>>,
    /// Strongly connected components, callees first. The nodes of one component call each other.
    pub components: Vec<Vec<u32>>,
    /// Component number of each node.
    component: Vec<u32>,
    /// Whether the nodes of each component call themselves or each other.
    recursive: Vec<bool>,
}

impl CallGraph {
    /// Builds the graph in which each node calls the given nodes.
    pub fn new(callees: Vec<Vec<u32>>) -> Self {
        let edges = (0..).zip(&callees).flat_map(|(from, to)| to.iter().map(move |to| (from, *to)));
        let mut graph = DiGraph::<(), (), u32>::with_capacity(callees.len(), 0);
        for _ in &callees {
            graph.add_node(());
        }
        graph.extend_with_edges(edges);
        let mut component = vec![0; callees.len()];
        let (mut components, mut recursive) = (Vec::new(), Vec::new());
        for (number, nodes) in (0..).zip(kosaraju_scc(&graph)) {
            let nodes: Vec<u32> = nodes.into_iter().map(|node| node.index() as u32).collect();
            for node in &nodes {
                component[*node as usize] = number;
            }
            recursive
                .push(nodes.len() > 1 || nodes.iter().any(|node| callees[*node as usize].contains(node)));
            components.push(nodes);
        }
        Self { callees, components, component, recursive }
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.callees.len()
    }

    /// Returns the callees of a node.
    pub fn callees(&self, node: u32) -> &[u32] {
        &self.callees[node as usize]
    }

    /// Returns the component number of a node. Its callees have the same or a lower number.
    pub fn component(&self, node: u32) -> u32 {
        self.component[node as usize]
    }

    /// Whether a node may be called again while it runs.
    pub fn is_recursive(&self, node: u32) -> bool {
        self.recursive[self.component(node) as usize]
    }

    /// Whether a call from `caller` to `callee` may call `caller` again before it returns.
    pub fn may_recurse(&self, caller: u32, callee: u32) -> bool {
        self.component(caller) == self.component(callee) && self.is_recursive(caller)
    }

    /// Returns the nodes that can be reached from `open`, including `open`.
    pub fn reached(&self, open: impl IntoIterator<Item = u32>) -> BTreeSet<u32> {
        let mut open: Vec<u32> = open.into_iter().collect();
        let mut seen = BTreeSet::new();
        while let Some(node) = open.pop() {
            if seen.insert(node) {
                open.extend(self.callees(node));
            }
        }
        seen
    }

    /// Returns for each node whether any node in `marked` can be reached from it.
    pub fn reaches(&self, marked: &[bool]) -> Vec<bool> {
        let mut reaches = marked.to_vec();
        reaches.resize(self.len(), false);
        for nodes in &self.components {
            let any = |node: &u32| {
                reaches[*node as usize] || self.callees(*node).iter().any(|to| reaches[*to as usize])
            };
            let any = nodes.iter().any(any);
            for node in nodes {
                reaches[*node as usize] = any;
            }
        }
        reaches
    }
}
