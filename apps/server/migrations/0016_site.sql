-- Site: what readers say of help articles, counted by day. Nothing about the reader.
create table site_help_votes (
  day date not null,
  article text not null check (article ~ '^[a-z0-9-]{1,60}$'),
  language text not null check (language in ('zh','en')),
  answer text not null check (answer in ('yes','no','unclear','wrong','missing')),
  votes int not null check (votes > 0),
  primary key (day, article, language, answer)
);
