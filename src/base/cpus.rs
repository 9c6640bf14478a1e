//! A set of CPU numbers of any size, in the kernel's list form (`0-3,8`).

use std::fmt;

/// CPU numbers, ascending and without a bound (machines with more than 1024 CPUs exist).
#[derive(Clone, PartialEq, Eq, Default, Hash)]
pub struct CpuSet {
    words: Vec<u64>,
}

/// Text that names a CPU above this is refused, so that a broken file cannot eat the memory.
const CPU_MAX: u32 = 1 << 16;

impl CpuSet {
    pub fn new() -> CpuSet {
        CpuSet::default()
    }

    /// `0..count`.
    pub fn first(count: u32) -> CpuSet {
        (0..count).collect()
    }

    /// From the kernel's bit masks, lowest word first.
    pub fn from_words(words: &[u64]) -> CpuSet {
        let mut set = CpuSet { words: words.to_vec() };
        set.trim();
        set
    }

    /// Parses `0-3,8,10-11`; an empty text is the empty set.
    pub fn parse(text: &str) -> Option<CpuSet> {
        let mut set = CpuSet::new();
        for item in text.trim().split(',').filter(|item| !item.is_empty()) {
            let (low, high) = item.split_once('-').unwrap_or((item, item));
            let (low, high) = (low.trim().parse::<u32>().ok()?, high.trim().parse::<u32>().ok()?);
            if low > high || high > CPU_MAX {
                return None;
            }
            (low..=high).for_each(|cpu| set.insert(cpu));
        }
        Some(set)
    }

    pub fn insert(&mut self, cpu: u32) {
        let word = cpu as usize / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (cpu % 64);
    }

    pub fn remove(&mut self, cpu: u32) {
        if let Some(word) = self.words.get_mut(cpu as usize / 64) {
            *word &= !(1 << (cpu % 64));
        }
        self.trim();
    }

    pub fn contains(&self, cpu: u32) -> bool {
        self.words.get(cpu as usize / 64).is_some_and(|word| word & (1 << (cpu % 64)) != 0)
    }

    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.words.len() as u32 * 64).filter(|&cpu| self.contains(cpu))
    }

    pub fn and(&self, other: &CpuSet) -> CpuSet {
        let both = self.words.iter().zip(&other.words).map(|(a, b)| a & b).collect();
        let mut set = CpuSet { words: both };
        set.trim();
        set
    }

    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Equal sets have equal words.
    fn trim(&mut self) {
        while self.words.last() == Some(&0) {
            self.words.pop();
        }
    }
}

impl FromIterator<u32> for CpuSet {
    fn from_iter<I: IntoIterator<Item = u32>>(cpus: I) -> CpuSet {
        let mut set = CpuSet::new();
        cpus.into_iter().for_each(|cpu| set.insert(cpu));
        set
    }
}

/// The kernel's list form.
impl fmt::Display for CpuSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut cpus = self.iter().peekable();
        let mut separator = "";
        while let Some(low) = cpus.next() {
            let mut high = low;
            while cpus.next_if_eq(&(high + 1)).is_some() {
                high += 1;
            }
            match high == low {
                true => write!(f, "{separator}{low}")?,
                false => write!(f, "{separator}{low}-{high}")?,
            }
            separator = ",";
        }
        Ok(())
    }
}

impl fmt::Debug for CpuSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CpuSet({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_form_survives_the_way_there_and_back() {
        for text in ["", "0", "0-3", "0-3,8", "1,3,5", "0,63-64,1030-1031"] {
            assert_eq!(CpuSet::parse(text).map(|s| s.to_string()).as_deref(), Some(text));
        }
        assert_eq!(CpuSet::parse("0-1\n").map(|s| s.len()), Some(2));
    }

    #[test]
    fn broken_list_is_refused() {
        for text in ["a", "3-1", "1-", "-1", "99999999"] {
            assert_eq!(CpuSet::parse(text), None, "{text}");
        }
    }

    #[test]
    fn set_operations_keep_sets_comparable() {
        let mut a: CpuSet = [1, 70].into_iter().collect();
        a.remove(70);
        assert_eq!(a, [1].into_iter().collect());
        let b = CpuSet::first(4).and(&[2, 3, 200].into_iter().collect());
        assert_eq!(b.iter().collect::<Vec<_>>(), [2, 3]);
        assert!(CpuSet::first(2).and(&[5].into_iter().collect()).is_empty());
    }
}
