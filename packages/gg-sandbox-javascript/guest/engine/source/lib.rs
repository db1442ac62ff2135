//! Only here so that cargo accepts the manifest beside it.
