import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The lines that `deploy/README.md` tells a person to type on one machine, block by block, in order. */
export function readReadmeBlocks(text = readFileSync(join(import.meta.dirname, '../../deploy/README.md'), 'utf8')): string[] {
  return [...text.matchAll(/^```sh(?: rehearsal)?\n([\s\S]*?)^```$/gm)].map((match) => match[1]!)
}
