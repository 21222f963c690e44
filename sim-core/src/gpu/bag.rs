//! A mailbag: the lists of several senders for one receiver, handed over whole.

/// Lists of mail with their senders' numbers. Messages are long; lists change hands, and their
/// contents stay where they are. Emptied lists are kept for the next senders, so that nothing
/// allocates after warm-up.
#[derive(Debug, Default)]
pub struct Bag<T> {
    lists: Vec<(usize, T)>,
    empty: Vec<T>,
}

impl<T: Default> Bag<T> {
    /// Puts the list `mail` of `sender` in; `mail` is an empty one then.
    pub fn put(&mut self, sender: usize, mail: &mut T) {
        let full = std::mem::replace(mail, self.empty.pop().unwrap_or_default());
        self.lists.push((sender, full));
    }

    /// Takes all lists out. `take` gets each with its sender, and leaves it empty.
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
    fn lists_go_through_in_order_and_their_room_comes_back() {
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
        // The two lists wait for the next senders.
        let mut rooms = [(); 2].map(|()| {
            bag.put(0, &mut mail);
            mail.capacity()
        });
        rooms.sort_unstable();
        assert!(rooms[1] >= 100, "{rooms:?}");
    }
}
