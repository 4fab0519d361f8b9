-- What browsers refused on our pages because the content security policy forbids it, counted by day. Nothing about the
-- reader: paths without numbers and queries, hosts without paths.
create table site_policy_reports (
  day date not null,
  directive text not null check (length(directive) <= 60),
  blocked text not null check (length(blocked) <= 200),
  page text not null check (length(page) <= 200),
  reports int not null default 1 check (reports > 0),
  primary key (day, directive, blocked, page)
);
