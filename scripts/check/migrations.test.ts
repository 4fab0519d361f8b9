import { describe, expect, test } from 'vitest'
import { checkMigrations } from './migrations.ts'

const SQL = 'create table a (id int);'

describe('migration files', () => {
  test('numbered without a gap pass', () => {
    expect(
      checkMigrations([
        ['0002_b_c.sql', SQL],
        ['0001_a.sql', SQL],
      ]),
    ).toEqual([])
  })
  test.each([
    [[['1_a.sql', SQL]], 'is called 0001_what_it_does.sql'],
    [[['0001-a.sql', SQL]], 'is called'],
    [[['0001_A.sql', SQL]], 'is called'],
    [[['0001_a.ts', SQL]], 'is called'],
    [
      [
        ['0001_a.sql', SQL],
        ['0003_b.sql', SQL],
      ],
      'expected 0002 next',
    ],
    [
      [
        ['0001_a.sql', SQL],
        ['0001_b.sql', SQL],
      ],
      'number 0001 is taken',
    ],
    [[['0001_a.sql', '-- later\n']], 'is empty'],
    [[['0001_a.sql', `begin;\n${SQL}\ncommit;`]], 'one transaction already'],
    [[['0001_a.sql', 'create index concurrently i on a (id);']], 'cannot run in a transaction'],
    [
      [
        ['0001_a.sql', SQL],
        ['indexes/i.sql', 'create index i on a (id);'],
      ],
      'is one "create index concurrently',
    ],
    [
      [
        ['0001_a.sql', SQL],
        ['indexes/j.sql', 'create index concurrently i on a (id);'],
      ],
      'is one "create index concurrently',
    ],
    [
      [
        ['0001_a.sql', SQL],
        ['indexes/i.sql', 'create index concurrently i on a (id); drop table a;'],
      ],
      'is one "create index concurrently',
    ],
  ] as const)('%j is refused', (files, problem) => {
    expect(checkMigrations(files).join()).toContain(problem)
  })
  test('an index on a table in use is built concurrently, one on a new table with it', () => {
    const upTo = (text: string) =>
      checkMigrations(Array.from({ length: 80 }, (_, n) => [`${String(n + 1).padStart(4, '0')}_a.sql`, n === 79 ? text : SQL] as const))
    expect(upTo('create index on_b on b (id);').join()).toContain('an index on b, which is in use')
    expect(upTo('create table b (id int);\ncreate unique index on_b on b (id);')).toEqual([])
    expect(
      checkMigrations([
        ['0001_a.sql', `${SQL} create index i on z (id);`],
        ['indexes/i.sql', '-- why\ncreate unique index concurrently i on a (id);'],
      ]),
    ).toEqual([])
  })
  test('a function body may begin and end', () => {
    expect(checkMigrations([['0001_a.sql', 'create function f() returns int language plpgsql as $$\nbegin\n  return 1;\nend $$;']])).toEqual([])
  })
})
