-- An upload may leave open what it is of; the first reading that succeeds decides.

alter table identity_files drop constraint identity_files_purpose_check;
alter table identity_files add constraint identity_files_purpose_check check (purpose in ('idFront','idBack','passport','photo','evidence','unsaid'));
