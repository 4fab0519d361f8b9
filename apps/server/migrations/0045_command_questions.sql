-- Whoever may approve a command asks its asker before deciding. The command waits on; question and answer stand as they were written.
create table backoffice_questions (
  id bigint generated always as identity primary key,
  command_id bigint not null references backoffice_commands,
  operator_id text not null references backoffice_operators,
  text text not null check (length(text) between 1 and 1000),
  at timestamptz not null default clock_timestamp()
);
-- The same words of the same person are the same question.
create unique index backoffice_questions_once on backoffice_questions (command_id, operator_id, md5(text));

create table backoffice_answers (
  question_id bigint primary key references backoffice_questions,
  operator_id text not null references backoffice_operators,
  text text not null check (length(text) between 1 and 1000),
  at timestamptz not null default clock_timestamp()
);

create function backoffice_guard_question() returns trigger language plpgsql as $$
declare
  asked record;
begin
  select asked_by, state into asked from backoffice_commands where id = new.command_id for update;
  if asked.asked_by = new.operator_id then
    raise exception 'nobody asks themselves back' using errcode = 'check_violation';
  end if;
  if asked.state <> 'waiting' then
    raise exception 'command % is % already', new.command_id, asked.state using errcode = 'check_violation';
  end if;
  return new;
end $$;

create function backoffice_guard_answer() returns trigger language plpgsql as $$
declare
  asked record;
begin
  select c.asked_by, c.state into asked from backoffice_questions q join backoffice_commands c on c.id = q.command_id where q.id = new.question_id for update of c;
  if asked.asked_by is distinct from new.operator_id then
    raise exception 'only who asked for it answers' using errcode = 'check_violation';
  end if;
  if asked.state <> 'waiting' then
    raise exception 'what is asked about is % already', asked.state using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger backoffice_questions_guard before insert on backoffice_questions for each row execute function backoffice_guard_question();
create trigger backoffice_answers_guard before insert on backoffice_answers for each row execute function backoffice_guard_answer();

call make_append_only('backoffice_questions');
call make_append_only('backoffice_answers');
