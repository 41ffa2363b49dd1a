//! The law of effective schemas: an independent reader of the document and the service come to the same verdict, for
//! payloads and for whole tasks as their authors write them.

mod generated;
mod given;
mod real;
mod rules;
