-- A view of an account shows both contacts of its customer: it counts as a reveal.
alter table backoffice_reveals drop constraint backoffice_reveals_what_check;
alter table backoffice_reveals add constraint backoffice_reveals_what_check check (what in ('email','mobile','account'));
