//! Decision records as JSON.
pub mod v1alpha1 {
    //! Version v1alpha1.
}
