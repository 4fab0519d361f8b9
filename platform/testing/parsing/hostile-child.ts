import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { serveParser } from '#platform/server/parsing/serve-parser.ts'
import type { ParseFile } from '#platform/server/parsing/serve-parser.ts'

const reply = (head: unknown) => ({ head })
const RETAINED: unknown[] = []

/** Simulates a parser that a hostile file has taken over: each kind breaks one limit. */
const parsers: Readonly<Record<string, ParseFile>> = {
  length: async (file) => reply(file.length),
  echo: async (file, { text }) => ({ head: { text, pid: process.pid }, parts: [file, file] }),
  throws: async () => {
    throw new Error('no such format')
  },
  loop: async () => {
    for (;;);
  },
  burn: async (_, { ms }) => {
    const spent = () => process.cpuUsage().user + process.cpuUsage().system
    while (spent() < Number(ms) * 1000);
    return reply('burnt')
  },
  never: () => new Promise(() => undefined),
  heap: async () => {
    for (;;) RETAINED.push({ at: Math.random(), more: [1, 2, 3] })
  },
  buffers: async () => {
    for (let i = 0; i < 60; i++) RETAINED.push(Buffer.alloc(50_000_000, 1))
    return reply('3 GB')
  },
  wasm: async () => {
    const { Memory } = (globalThis as unknown as { WebAssembly: { Memory: new (o: object) => { grow(pages: number): void; buffer: ArrayBuffer } } }).WebAssembly
    const memory = new Memory({ initial: 1, maximum: 65_536 })
    for (let i = 0; i < 300; i++) {
      memory.grow(160)
      new Uint8Array(memory.buffer).fill(1)
    }
    return reply('3 GB')
  },
  flood: async () => ({ head: '', parts: [Buffer.alloc(30_000_000)] }),
  noise: async () => {
    process.stdout.write(Buffer.alloc(64, 0xff))
    return new Promise(() => undefined)
  },
  file: async (_, { path }) => reply(readFileSync(String(path), 'utf8').length),
  network: async (_, { port }) =>
    new Promise((done, broken) => {
      connect(Number(port), '127.0.0.1', () => done(reply('connected'))).on('error', broken)
    }),
  environment: async () => reply(Object.keys(process.env)),
  console: async () => {
    console.log('a package that prints')
    return reply('quiet')
  },
}

serveParser(parsers)
