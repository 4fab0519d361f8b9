-- Finds earlier rentals of a number when a notice arrives for it. 0016_numbers.sql creates it in new databases; this builds it where
-- release 0.1 was stopped before its indexes.
create index concurrently numbers_rentals_number on numbers_rentals (supplier, number);
