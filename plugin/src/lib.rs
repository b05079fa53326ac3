//! Catena, the product.
