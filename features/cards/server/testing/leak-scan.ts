import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { Db } from '#platform/server/database/db.ts'

const NUMBER_LENGTHS = [16, 18]

/** Finds given numbers (card, identity) in a text: as they are, separated, reversed, in hex, in base64 of any alignment. */
export function findLeakedNumbers(text: string, wanted: ReadonlySet<string>): string[] {
  const found = new Set<string>()
  const look = (plain: string) => {
    for (const [run] of plain.replace(/(?<=\d)[ \-\t](?=[\dX])/g, '').matchAll(/\d{15,}X?/g))
      for (const length of NUMBER_LENGTHS)
        for (let at = 0; at + length <= run.length; at++) {
          const piece = run.slice(at, at + length)
          for (const one of [piece, [...piece].toReversed().join('')]) if (wanted.has(one)) found.add(one)
        }
  }
  look(text)
  for (const [run] of text.matchAll(/X?\d{17}/g)) if (run.startsWith('X')) look([...run].toReversed().join(''))
  for (const [run] of text.matchAll(/(?:3\d){15,}(?:58)?/g)) look(Buffer.from(run, 'hex').toString('latin1'))
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{20,}/g)) for (let at = 0; at < 4; at++) look(Buffer.from(run.slice(at), 'base64').toString('latin1'))
  return [...found]
}

/** Reads the files of a database and of its server's log since a time, as bytes. */
export async function readRawFiles(owner: Db, since: Date): Promise<Iterable<{ name: string; text: string }>> {
  await owner.query('checkpoint')
  const [{ folder, oid }] = (await owner.query<{ folder: string; oid: string }>(
    `select current_setting('data_directory') as folder, oid::text as oid from pg_database where datname = current_database()`,
  )) as [{ folder: string; oid: string }]
  const folders = [join(folder, 'base', oid), join(folder, 'pg_wal')]
  return (function* () {
    for (const at of folders)
      for (const file of readdirSync(at, { withFileTypes: true })) {
        const name = join(at, file.name)
        if (file.isFile() && statSync(name).mtime >= since) yield { name, text: readFileSync(name, 'latin1') }
      }
  })()
}

/** Extracts a PDF's text, run by run, with its raw bytes and metadata. */
export async function readPdfText(bytes: Buffer): Promise<string> {
  const pdf = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise
  const said = [bytes.toString('latin1'), JSON.stringify(await pdf.getMetadata())]
  for (let page = 1; page <= pdf.numPages; page++) {
    const { items } = await (await pdf.getPage(page)).getTextContent()
    said.push(items.map((item) => ('str' in item ? item.str : '')).join(' '))
  }
  await pdf.loadingTask.destroy()
  return said.join('\n')
}
