-- Identifies a message across the rentals of its number: a supplier may deliver a notice again after the number was rented anew.
-- Rows stored before have none; the digest still keeps each of them unique in its order.
alter table numbers_messages add column origin bytea check (length(origin) = 32);
create unique index numbers_messages_origin on numbers_messages (origin) where origin is not null;
