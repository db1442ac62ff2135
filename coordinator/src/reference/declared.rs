//! The order in which a type declares its fields, which its schema does not keep.

use serde::de::value::Error;
use serde::de::{Deserialize, Deserializer, Error as _, Visitor};

/// The name of a type and its fields, as it declares them.
pub(super) fn fields_of<'de, T: Deserialize<'de>>() -> (&'static str, &'static [&'static str]) {
    let mut asked = ("", [].as_slice());
    // A type says what it wants to read before it reads: nothing is read.
    let _ = T::deserialize(Asked(&mut asked));
    asked
}

struct Asked<'a>(&'a mut (&'static str, &'static [&'static str]));

impl<'de> Deserializer<'de> for Asked<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Error> {
        Err(Error::custom("nothing is read"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        *self.0 = (name, fields);
        self.deserialize_any(visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gg_common::profile::TaskSettings;

    #[test]
    fn a_type_says_what_it_would_read() {
        assert_eq!(fields_of::<TaskSettings>(), ("TaskSettings", ["max"].as_slice()));
        assert_eq!(fields_of::<u8>(), ("", [].as_slice()));
    }
}
