-- folds 0075_number_messages.sql (release 0.1)

-- Site: what readers and browsers report, counted by day, and announcements.

-- Votes of readers on help articles, counted by day. Identifies no reader.
create table site_help_votes (
  day date not null,
  article text not null check (article ~ '^[a-z0-9-]{1,60}$'),
  language text not null check (language in ('zh','en')),
  answer text not null check (answer in ('yes','no','unclear','wrong','missing')),
  votes int not null check (votes > 0),
  primary key (day, article, language, answer)
);

-- Violations of the content security policy that browsers reported, counted by day. Identifies no reader: paths without numbers and
-- queries, hosts without paths.
create table site_policy_reports (
  day date not null,
  directive text not null check (length(directive) <= 60),
  blocked text not null check (length(blocked) <= 200),
  page text not null check (length(page) <= 200),
  reports int not null default 1 check (reports > 0),
  primary key (day, directive, blocked, page)
);

-- Errors in browsers, and chosen ways to pay, counted by day. Identifies no reader: messages without numbers, quotations and addresses,
-- paths without names and order numbers.
create table site_page_errors (
  day date not null,
  kind text not null check (kind in ('error', 'promise', 'page')),
  message text not null check (length(message) <= 200),
  place text not null check (length(place) <= 120),
  page text not null check (length(page) <= 200),
  version text not null check (length(version) <= 20),
  times int not null default 1 check (times > 0),
  primary key (day, kind, message, place, page, version)
);

create table site_page_events (
  day date not null,
  event text not null check (event in ('channel_chosen', 'payment_submitted')),
  detail text not null check (length(detail) <= 20),
  times int not null default 1 check (times > 0),
  primary key (day, event, detail)
);

-- Announcements of operators to all customers, in both languages, from a start to an end. A withdrawn one keeps its row.
create table site_announcements (
  id text primary key check (id ~ '^ann_[0-9A-Z]{26}$'),
  kind text not null check (kind in ('news','warning')),
  place text not null check (place in ('everywhere','site','console')),
  title_zh text not null check (length(title_zh) between 1 and 80),
  title_en text not null check (length(title_en) between 1 and 80),
  text_zh text not null check (length(text_zh) <= 300),
  text_en text not null check (length(text_en) <= 300),
  -- A path of this site, or an https address of another.
  link text check (length(link) <= 300 and link ~ '^(/([^/\\]|$)|https://)'),
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at and ends_at <= starts_at + interval '92 days'),
  made_by text not null,
  made_at timestamptz not null,
  ended_at timestamptz,
  ended_by text,
  check ((ended_at is null) = (ended_by is null)),
  -- Half of a translation is none.
  check ((text_zh = '') = (text_en = ''))
);
create index site_announcements_kept on site_announcements (ends_at) where ended_at is null;
revoke delete, truncate on site_announcements from mingxi_app;
