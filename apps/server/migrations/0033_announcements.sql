-- What operators tell all customers on the pages, in both languages, from a time until a time. Taken back, a row stays.

create table site_announcements (
  id text primary key check (id ~ '^ann_[0-9A-Z]{26}$'),
  kind text not null check (kind in ('news','warning')),
  place text not null check (place in ('everywhere','site','console')),
  title_zh text not null check (length(title_zh) between 1 and 80),
  title_en text not null check (length(title_en) between 1 and 80),
  text_zh text not null check (length(text_zh) <= 300),
  text_en text not null check (length(text_en) <= 300),
  -- Of this site, or somebody else's by https.
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
