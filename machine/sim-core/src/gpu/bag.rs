//! Message lists of several senders for one receiver, moved without copying the messages.

/// Message lists with the indices of their senders. Messages are large, so whole lists are moved
/// and their contents stay in place. Emptied lists are kept for the next senders, so that no memory
/// is allocated after warm-up.
#[derive(Debug, Default)]
pub struct Bag<T> {
    lists: Vec<(usize, T)>,
    empty: Vec<T>,
}

impl<T: Default> Bag<T> {
    /// Adds the list `messages` of `sender`, and leaves an empty list in `messages`.
    pub fn put(&mut self, sender: usize, messages: &mut T) {
        let full = std::mem::replace(messages, self.empty.pop().unwrap_or_default());
        self.lists.push((sender, full));
    }

    /// Removes all lists. `take` gets each list with its sender and must leave it empty.
    pub fn empty(&mut self, mut take: impl FnMut(usize, &mut T)) {
        for (sender, mut messages) in self.lists.drain(..) {
            take(sender, &mut messages);
            self.empty.push(messages);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_stay_in_order_and_their_capacity_is_reused() {
        let mut bag = Bag::default();
        let mut messages = Vec::with_capacity(100);
        for sender in [3, 1] {
            messages.extend([sender, 10 * sender]);
            bag.put(sender, &mut messages);
            assert!(messages.is_empty());
        }
        let mut got = Vec::new();
        bag.empty(|sender, messages| got.extend(messages.drain(..).map(|message| (sender, message))));
        assert_eq!(got, [(3, 3), (3, 30), (1, 1), (1, 10)]);
        bag.empty(|_, _| panic!("it is empty"));
        // The two lists are kept for the next senders.
        let mut rooms = [(); 2].map(|()| {
            bag.put(0, &mut messages);
            messages.capacity()
        });
        rooms.sort_unstable();
        assert!(rooms[1] >= 100, "{rooms:?}");
    }
}
