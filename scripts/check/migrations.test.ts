import { describe, expect, test } from 'vitest'
import { checkHashes, checkMigrations, recordHashes } from './migrations.ts'

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
    const after = (text: string) =>
      checkMigrations([
        ['0001_a.sql', SQL],
        ['0002_b.sql', text],
      ])
    expect(after('create index on_b on b (id);').join()).toContain('an index on b, which is in use')
    expect(after('create table b (id int);\ncreate unique index on_b on b (id);')).toEqual([])
    expect(
      checkMigrations([
        ['0001_a.sql', `-- folds 0001_old.sql (release 0.1)\n${SQL} create index i on z (id);`],
        ['indexes/i.sql', '-- why\ncreate unique index concurrently i on a (id);'],
      ]),
    ).toEqual([])
  })
  test('numbers continue after those of the folded files, whose names are not used again', () => {
    const folding = (next: string) =>
      checkMigrations([
        ['0001_a.sql', `-- folds 0007_old.sql (release 0.1)\n${SQL}`],
        ['0002_b.sql', `-- folds 0007_old.sql (release 0.1)\n${SQL}`],
        [next, SQL],
      ])
    expect(folding('0008_c.sql')).toEqual([])
    expect(folding('0003_c.sql').join()).toContain('number 0003 is taken')
    expect(folding('0009_c.sql').join()).toContain('expected 0008 next')
  })
  test('a recorded file stays as it is, and a new one is recorded', () => {
    const files = [['0001_a.sql', SQL]] as const
    const hashes = recordHashes(files, {})
    expect(checkHashes(files, hashes)).toEqual([])
    expect(checkHashes([['0001_a.sql', `${SQL}\n`]], hashes).join()).toContain('has changed')
    expect(checkHashes([], hashes).join()).toContain('was removed')
    expect(checkHashes([], recordHashes([['indexes/i.sql', SQL]], {}))).toEqual([])
    expect(checkHashes([...files, ['0002_b.sql', SQL]], hashes)).toEqual([expect.stringContaining('0002_b.sql: is not recorded')])
    expect(recordHashes([['0001_a.sql', 'changed']], hashes)).toEqual(hashes)
  })
  test('a function body may begin and end', () => {
    expect(checkMigrations([['0001_a.sql', 'create function f() returns int language plpgsql as $$\nbegin\n  return 1;\nend $$;']])).toEqual([])
  })
})
