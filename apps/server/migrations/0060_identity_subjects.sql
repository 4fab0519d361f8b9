-- A face check counts for the person that it was begun for: a digest, under the user's own key, of paper, name and number.
-- Checks of before have none: those that are open end unanswered, and are begun again.
alter table identity_checks add column subject bytea;
