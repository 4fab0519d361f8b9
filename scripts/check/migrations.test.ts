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
  ] as const)('%j is refused', (files, problem) => {
    expect(checkMigrations(files).join()).toContain(problem)
  })
  test('a function body may begin and end', () => {
    expect(checkMigrations([['0001_a.sql', 'create function f() returns int language plpgsql as $$\nbegin\n  return 1;\nend $$;']])).toEqual([])
  })
})
