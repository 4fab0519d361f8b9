-- Finds earlier rentals of a number when a notice arrives for it.
create index concurrently numbers_rentals_number on numbers_rentals (supplier, number);
