//! A queue of messages. Messages are large, so a list of them enters an empty queue without being
//! copied: the queue and the list exchange their buffers.

use crate::state::{CloneFrom, Value};

/// A first-in, first-out queue that keeps its capacity.
#[derive(CloneFrom, Debug, Value)]
pub struct Queue<T> {
    items: Vec<T>,
    /// Index of the first item; 0 if there is none.
    first: usize,
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Self { items: Vec::new(), first: 0 }
    }
}

impl<T: Copy> Queue<T> {
    /// Returns the number of items.
    #[inline]
    pub fn len(&self) -> usize {
        self.items.len() - self.first
    }

    /// Whether there is no item.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Returns the oldest item.
    #[inline]
    pub fn front(&self) -> Option<&T> {
        self.items.get(self.first)
    }

    /// Returns the latest item.
    pub fn back(&self) -> Option<&T> {
        self.items.last()
    }

    /// Returns the items, oldest first.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items[self.first..].iter()
    }

    /// Removes the oldest item.
    #[inline]
    pub fn remove_front(&mut self) {
        self.first += 1;
        if self.first >= self.items.len() {
            self.items.clear();
            self.first = 0;
        }
    }

    /// Moves all items of `list` to the end of the queue.
    #[inline]
    pub fn append(&mut self, list: &mut Vec<T>) {
        if self.items.is_empty() {
            std::mem::swap(&mut self.items, list);
            return;
        }
        // Each item is moved at most once for each item that was removed before it.
        if self.first > self.items.len() / 2 {
            self.items.drain(..self.first);
            self.first = 0;
        }
        self.items.append(list);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_leave_in_the_order_in_which_they_entered() {
        let (mut queue, mut next, mut expected) = (Queue::default(), 0, 0);
        for round in 0..50 {
            let mut list: Vec<u32> = (next..next + round % 5).collect();
            next += round % 5;
            queue.append(&mut list);
            assert!(list.is_empty());
            assert_eq!(queue.len() as u32, next - expected);
            assert!(queue.iter().copied().eq(expected..next));
            assert_eq!(
                (queue.back().copied(), queue.is_empty()),
                (next.checked_sub(1).filter(|_| expected < next), expected == next)
            );
            for _ in 0..round % 3 {
                assert_eq!(queue.front().copied(), (expected < next).then_some(expected));
                if expected < next {
                    queue.remove_front();
                    expected += 1;
                }
            }
        }
    }

    #[test]
    fn an_empty_queue_takes_the_buffer_of_the_list() {
        let mut queue = Queue::default();
        let mut list = Vec::with_capacity(100);
        list.push(7);
        queue.append(&mut list);
        assert_eq!((queue.items.capacity(), queue.front()), (100, Some(&7)));
    }
}
