import { randomBytes } from 'node:crypto'
import { chownSync, constants, mkdirSync } from 'node:fs'
import { chown, mkdir, open, rename } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { PIECE_BYTES } from '../../wire.ts'

/** What a session may hand over, both ways together; 0 files: nothing. */
export interface FileLimits {
  readonly files: number
  readonly bytes: number
}

/** Where files lie while a session lasts. The folders themselves are this process's; its browser reads `in` and writes `out`. */
export interface FileRoom {
  /** Nobody else's: what is still being sent in. */
  readonly coming: string
  readonly in: string
  readonly out: string
  /** Whose the browser is; undefined where it is this process's own user. */
  readonly owner: number | undefined
}

export interface FilePiece {
  readonly name: string
  readonly size: number
  readonly at: number
  readonly bytes: Buffer
}

export interface Files {
  readonly limits: FileLimits
  readonly out: string
  /** Takes a place of the number that a session may hand over. False: none is left. */
  take(): boolean
  /** Writes the next piece; answers how much of the file is there. Throws for what does not follow, is too much, or has no place. */
  put(file: string, piece: FilePiece): Promise<number>
  /** Where a file that came whole can be read by the browser. */
  given(file: string): string | undefined
  /** A piece of what was downloaded. */
  get(guid: string, at: number): Promise<Buffer>
  close(): Promise<void>
}

export class FileRefusal extends Error {
  readonly what: 'tooLarge' | 'tooMany' | 'upload'
  constructor(what: 'tooLarge' | 'tooMany' | 'upload') {
    super(what)
    this.what = what
  }
}

/** In `folder`, which this process owns: a browser that was taken over could exchange what lies in a folder of its own while somebody mightier writes there. */
export function makeRoom(folder: string, owner: number | undefined): FileRoom {
  const room = { coming: join(folder, 'coming'), in: join(folder, 'in'), out: join(folder, 'out'), owner }
  for (const path of [room.coming, room.in, room.out]) mkdirSync(path, { mode: 0o700 })
  if (owner !== undefined) for (const path of [room.in, room.out]) chownSync(path, owner, owner)
  return room
}

const MOST_NAME_BYTES = 180

/** A name as a file may have it, its ending kept: no folders, nothing that is not seen, nothing that turns the writing round. */
export function safeName(name: string): string {
  const plain = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\:*?"<>|]/gu, '_').replace(/^[.\s]+|[.\s]+$/g, '')
  const ending = /\.[^.]{1,12}$/.exec(plain)?.[0] ?? ''
  let stem = plain.slice(0, plain.length - ending.length)
  while (Buffer.byteLength(stem + ending) > MOST_NAME_BYTES) stem = [...stem].slice(0, -1).join('')
  return stem + ending || 'file'
}

interface Coming {
  readonly size: number
  /** Its folder, its path and an open handle, as soon as they are there. */
  readonly opened: Promise<{ readonly folder: string; readonly path: string; readonly handle: FileHandle }>
  /** What is written one after another. */
  last: Promise<unknown>
  at: number
}

export function createFiles(room: FileRoom, limits: FileLimits): Files {
  let left = limits.files
  const coming = new Map<string, Coming>()
  const given = new Map<string, string>()
  const take = () => left > 0 && left-- > 0

  const openOne = async (name: string) => {
    const folder = randomBytes(12).toString('hex')
    await mkdir(join(room.coming, folder), { mode: 0o700 })
    const path = join(folder, safeName(name))
    return { folder, path, handle: await open(join(room.coming, path), 'wx', 0o600) }
  }
  const begin = (file: string, { name, size, at }: FilePiece): Coming => {
    if (given.has(file) || at !== 0) throw new FileRefusal('upload')
    if (size > limits.bytes) throw new FileRefusal('tooLarge')
    if (!take()) throw new FileRefusal('tooMany')
    const one: Coming = { size, opened: openOne(name), last: Promise.resolve(), at: 0 }
    coming.set(file, one)
    return one
  }
  /** It is the browser's from here on. */
  const finish = async (file: string, { opened }: Coming) => {
    const { folder, path, handle } = await opened
    if (room.owner !== undefined) await handle.chown(room.owner, room.owner)
    await handle.close()
    if (room.owner !== undefined) await chown(join(room.coming, folder), room.owner, room.owner)
    await rename(join(room.coming, folder), join(room.in, folder))
    coming.delete(file)
    given.set(file, join(room.in, path))
  }
  const write = async (file: string, one: Coming, { at, bytes }: FilePiece): Promise<number> => {
    if (at !== one.at || at + bytes.length > one.size || given.has(file)) throw new FileRefusal('upload')
    const { handle } = await one.opened
    await handle.write(bytes, 0, bytes.length, at)
    one.at += bytes.length
    if (one.at === one.size) await finish(file, one)
    return one.at
  }

  return {
    limits,
    out: room.out,
    take,
    put: async (file, piece) => {
      const one = coming.get(file) ?? begin(file, piece)
      const written = one.last.then(() => write(file, one, piece))
      one.last = written.catch(() => undefined)
      return written
    },
    given: (file) => given.get(file),
    get: (guid, at) => pieceOf(room, join(room.out, guid), at),
    close: async () => {
      for (const { opened } of coming.values()) await opened.then(({ handle }) => handle.close()).catch(() => undefined)
    },
  }
}

/** Its browser owns the folder that this lies in: only a plain file of its own is read, whatever the name leads to. */
async function pieceOf({ owner }: FileRoom, path: string, at: number): Promise<Buffer> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stat = await handle.stat()
    if (!stat.isFile() || stat.nlink !== 1 || (owner !== undefined && stat.uid !== owner)) throw new Error('no file of its own')
    const piece = Buffer.alloc(Math.max(0, Math.min(PIECE_BYTES, stat.size - at)))
    const { bytesRead } = await handle.read(piece, 0, piece.length, at)
    return piece.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}
