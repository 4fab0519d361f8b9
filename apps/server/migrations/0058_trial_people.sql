-- One trial a person, not an account: keyed hashes of the e-mail and the mobile that it was proven with stay when the account is closed.
create table browser_trial_people (
  digest bytea primary key check (length(digest) = 32),
  user_id text not null references browser_trials on delete cascade
);
create index browser_trial_people_user on browser_trial_people (user_id);
-- Trials of a day are counted.
create index browser_trials_created on browser_trials (created_at);

create table flex_trial_people (
  platform smallint not null,
  digest bytea not null check (length(digest) = 32),
  user_id text not null,
  primary key (digest, platform),
  foreign key (user_id, platform) references flex_trials on delete cascade
);
create index flex_trial_people_user on flex_trial_people (user_id, platform);

grant select, insert on browser_trial_people, flex_trial_people to mingxi_app;
revoke update, delete, truncate on browser_trial_people, flex_trial_people from mingxi_app;
