-- Which of the installation's keys a payment password was hashed with (platform/server/sealing/seal.ts, keyId). Null: set before keys had names.
alter table account_pay_passwords add column key_id bytea check (length(key_id) = 4);
