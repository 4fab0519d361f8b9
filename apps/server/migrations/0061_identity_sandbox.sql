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
