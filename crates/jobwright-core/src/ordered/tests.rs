//! A map of chunks is a map.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use proptest::prelude::*;

use super::{OrderedMap, OrderedPlaces, OrderedSet, sort_by};

proptest! {
    /// Whatever is done, it holds what a B-tree holds.
    #[test]
    fn it_behaves_as_a_b_tree(changes in prop::collection::vec((0..600_u32, 0..5_u8), 0..1_500)) {
        let (mut ours, mut model) = (OrderedMap::new(), BTreeMap::new());
        for (key, what) in changes {
            match what {
                0 => prop_assert_eq!(ours.remove(&key), model.remove(&key)),
                1 => {
                    *ours.get_or_default(key) += 1_u32;
                    *model.entry(key).or_default() += 1_u32;
                }
                _ => prop_assert_eq!(ours.insert(key, key), model.insert(key, key)),
            }
            prop_assert_eq!(ours.len(), model.len());
            prop_assert_eq!(ours.at_or_before(&key), model.range(..=key).next_back());
            prop_assert_eq!(ours.from(&key).next(), model.range(key..).next());
            prop_assert_eq!(ours.get(&key), model.get(&key));
        }
        prop_assert!(ours.iter().eq(model.iter()));
        prop_assert_eq!(ours.last(), model.last_key_value());
        ours.retain(|key, _| key % 3 == 0);
        model.retain(|key, _| key % 3 == 0);
        prop_assert!(ours.keys().eq(model.keys()));
        prop_assert_eq!(ours.pop_first(), model.pop_first());
        prop_assert_eq!(ours.len(), model.len());
    }

    /// Places of keys that are kept elsewhere are a set of those keys.
    #[test]
    fn places_behave_as_a_b_tree(keys in prop::collection::vec(0..900_u32, 1..900), gone in prop::collection::vec(0..900_u32, 0..600)) {
        let (mut ours, mut model) = (OrderedPlaces::default(), BTreeSet::new());
        let by = |key: u32| { let keys = &keys; move |place: usize| keys[place].cmp(&key) };
        for (place, key) in keys.iter().enumerate() {
            if let Err(spot) = ours.find(&by(*key)) {
                ours.insert(spot, place);
            }
            model.insert(*key);
        }
        for key in gone {
            prop_assert_eq!(ours.remove(&by(key)).map(|place| keys[place]), model.take(&key));
            prop_assert!(ours.find(&by(key)).is_err());
            prop_assert_eq!(ours.from(&by(key)).next().map(|place| keys[place]), model.range(key..).next().copied());
        }
        prop_assert!(ours.iter().map(|place| keys[place]).eq(model.iter().copied()));
        for (place, key) in keys.iter().enumerate() {
            if let Err(spot) = ours.find(&by(*key)) {
                ours.insert(spot, place);
            }
            prop_assert_eq!(ours.find(&by(*key)).ok().map(|place| keys[place]), Some(*key));
        }
        prop_assert!(ours.iter().map(|place| keys[place]).eq(keys.iter().copied().collect::<BTreeSet<_>>()));
    }

    #[test]
    fn sorting_is_stable(items in prop::collection::vec((0..9_u8, 0..200_u8), 0..80)) {
        let (mut ours, mut model) = (items.clone(), items);
        sort_by(&mut ours, |a, b| a.0.cmp(&b.0));
        model.sort_by_key(|item| item.0);
        prop_assert_eq!(ours, model);
    }
}

#[test]
fn a_set_is_a_map_without_values() {
    let mut set: OrderedSet<u32> = [3, 1, 2, 3].into_iter().collect();
    assert!(set.remove(&2) && !set.remove(&2) && !set.insert(1));
    assert_eq!(set.iter().copied().collect::<Vec<_>>(), [1, 3]);
    assert_eq!((set.first(), set.contains(&3), set.len()), (Some(&1), true, 2));
}
