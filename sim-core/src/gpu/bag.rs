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
    /// Adds the list `mail` of `sender`, and leaves an empty list in `mail`.
    pub fn put(&mut self, sender: usize, mail: &mut T) {
        let full = std::mem::replace(mail, self.empty.pop().unwrap_or_default());
        self.lists.push((sender, full));
    }

    /// Removes all lists. `take` gets each list with its sender and must leave it empty.
    pub fn empty(&mut self, mut take: impl FnMut(usize, &mut T)) {
        for (sender, mut mail) in self.lists.drain(..) {
            take(sender, &mut mail);
            self.empty.push(mail);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_stay_in_order_and_their_capacity_is_reused() {
        let mut bag = Bag::default();
        let mut mail = Vec::with_capacity(100);
        for sender in [3, 1] {
            mail.extend([sender, 10 * sender]);
            bag.put(sender, &mut mail);
            assert!(mail.is_empty());
        }
        let mut got = Vec::new();
        bag.empty(|sender, mail| got.extend(mail.drain(..).map(|message| (sender, message))));
        assert_eq!(got, [(3, 3), (3, 30), (1, 1), (1, 10)]);
        bag.empty(|_, _| panic!("it is empty"));
        // The two lists are kept for the next senders.
        let mut rooms = [(); 2].map(|()| {
            bag.put(0, &mut mail);
            mail.capacity()
        });
        rooms.sort_unstable();
        assert!(rooms[1] >= 100, "{rooms:?}");
    }
}
