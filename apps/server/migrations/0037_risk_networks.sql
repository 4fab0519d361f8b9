-- Where somebody signs in from, and where their API keys are used from, by network alone: of one network both have the same digest.
alter table risk_marks drop constraint risk_marks_kind_check;
alter table risk_marks add constraint risk_marks_kind_check
  check (kind in ('mailbox', 'payer', 'payout', 'person', 'device', 'place', 'network', 'keys'));
