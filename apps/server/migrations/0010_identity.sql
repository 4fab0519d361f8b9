-- folds 0075_number_messages.sql (release 0.1)

-- Identity of cardholders. Personal data are sealed under a key of each user, which is sealed under the installation's: without it the rest is noise.
create table identity_people (
  user_id text primary key,
  -- Null: deleted, and all that it sealed with it.
  sealed_key bytea,
  status text not null default 'started' check (status in ('started','saved','passed','rejected','review')),
  reason text check (reason in ('us_taxpayer','second_account','listed','operator')),
  notice_read_at timestamptz,
  taxpayer boolean,
  taxpayer_at timestamptz,
  method text check (method in ('face','deposit')),
  paper text check (paper in ('idcard','passport')),
  sealed_draft bytea,
  sealed_person bytea,
  saved_at timestamptz,
  face_passed_at timestamptz,
  paid_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((status in ('review','rejected')) = (reason is not null)),
  check (status <> 'passed' or (face_passed_at is not null and sealed_person is not null)),
  check (status = 'started' or reason is not null or sealed_person is not null or sealed_key is null)
);
create index identity_people_in_review on identity_people (updated_at) where status = 'review';

-- One identity per account: a second account with the same number goes to review. Keyed, so that the table discloses no number.
create table identity_numbers (
  digest bytea primary key,
  key_id bytea not null,
  user_id text not null unique references identity_people
);

create table identity_files (
  id text primary key,
  user_id text not null references identity_people,
  -- `unsaid`: the first reading that succeeds decides what it is of.
  purpose text not null check (purpose in ('idFront','idBack','passport','photo','evidence','unsaid')),
  state text not null default 'expected' check (state in ('expected','kept','refused','gone')),
  type text not null,
  bytes int not null check (bytes between 1 and 10000000),
  width int,
  height int,
  reads int not null default 0,
  sealed_reading bytea,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  kept_at timestamptz,
  check (state <> 'kept' or (width is not null and height is not null and kept_at is not null))
);
create index identity_files_user on identity_files (user_id, purpose, created_at desc);
create index identity_files_open on identity_files (created_at) where state in ('expected','kept');

create table identity_checks (
  id text primary key,
  -- Which was the last of a user's, also of two in one moment.
  seq bigint generated always as identity,
  user_id text not null references identity_people,
  vendor text not null,
  vendor_ref text,
  url text not null default '',
  state text not null default 'processing' check (state in ('processing','passed','failed','other','expired')),
  return_path text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  next_check_at timestamptz,
  ended_at timestamptz,
  -- The person that it was begun for: a digest, under the user's own key, of paper, name and number. Older checks have none: those that are open
  -- end unanswered, and are begun again.
  subject bytea,
  check ((state = 'processing') = (ended_at is null)),
  check ((state = 'processing') = (next_check_at is not null))
);
create unique index identity_checks_open on identity_checks (user_id) where state = 'processing';
create index identity_checks_user on identity_checks (user_id, seq desc);
create index identity_checks_due on identity_checks (next_check_at) where state = 'processing';

-- Each saving counts: tries are limited.
create table identity_saves (
  id bigint generated always as identity primary key,
  user_id text not null references identity_people,
  method text not null,
  saved_at timestamptz not null
);
create index identity_saves_user on identity_saves (user_id, saved_at desc);

-- The book of the sandbox that plays the company with the camera. It never learns a number.
create table identity_sandbox_faces (
  ref text primary key,
  name text not null,
  lang text not null,
  return_url text not null,
  state text not null default 'open' check (state in ('open','passed','failed','other')),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
