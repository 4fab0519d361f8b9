import { readdirSync, readFileSync } from 'node:fs'
import type { HeapCodeStatistics } from 'node:v8'
import type { TestServer } from '#platform/testing/server.ts'

/** Measures a process through its V8 inspector and the kernel. The process must run with `NODE_OPTIONS` set to INSPECTED. */
export interface Inspector {
  /** Measures after a full collection: MB, open descriptors, and handles that keep the event loop alive (sockets, timers, files). */
  look(): Promise<MemorySample>
  /** Live memory allocated since the inspector was opened, in KB by function, largest first. */
  grown(): Promise<string[]>
  close(): void
}
export interface MemorySample {
  readonly resident: number
  readonly heap: number
  /** Heap space with compiled code and its metadata. */
  readonly code: number
  /** Buffers and other V8 memory outside the heap. */
  readonly external: number
  readonly descriptors: number
  readonly handles: number
}
interface ProfileNode {
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  readonly selfSize: number
  readonly children: readonly ProfileNode[]
}

export const INSPECT_OPTION = '--inspect=127.0.0.1:0'
const MB = 2 ** 20
/** Sampling interval of allocations in bytes, with negligible cost. */
const SAMPLED = 2 ** 16

export async function openInspector(server: TestServer): Promise<Inspector> {
  const address = [...server.output().matchAll(/Debugger listening on (ws:\S+)/g)].at(-1)?.[1]
  if (!address) throw new Error('the server was not started with an inspector')
  const socket = new WebSocket(address)
  const waiting = new Map<number, (result: unknown) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown }
    if (id === undefined) return
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  await new Promise((done, failed) => {
    socket.addEventListener('open', done)
    socket.addEventListener('error', failed)
  })
  let last = 0
  const ask = <T>(method: string, params: object = {}): Promise<T> =>
    new Promise((done) => {
      waiting.set(++last, done as (result: unknown) => void)
      socket.send(JSON.stringify({ id: last, method, params }))
    })
  await ask('HeapProfiler.enable')
  await ask('HeapProfiler.startSampling', { samplingInterval: SAMPLED })
  return {
    look: async () => {
      await ask('HeapProfiler.collectGarbage')
      const code = `process.getBuiltinModule('node:v8').getHeapCodeStatistics()`
      const expression = `JSON.stringify([process.memoryUsage(), process.getActiveResourcesInfo().length, ${code}])`
      const { result } = await ask<{ result: { value: string } }>('Runtime.evaluate', { expression, returnByValue: true })
      const [memory, handles, compiled] = JSON.parse(result.value) as [NodeJS.MemoryUsage, number, HeapCodeStatistics]
      return {
        resident: residentOf(server.pid()),
        heap: memory.heapUsed / MB,
        code: (compiled.code_and_metadata_size + compiled.bytecode_and_metadata_size) / MB,
        external: memory.external / MB,
        descriptors: readdirSync(`/proc/${server.pid()}/fd`).length,
        handles,
      }
    },
    grown: async () => {
      const { profile } = await ask<{ profile: { head: ProfileNode } }>('HeapProfiler.getSamplingProfile')
      const sizes = new Map<string, number>()
      const add = (node: ProfileNode, path: readonly string[]) => {
        const { functionName, url, lineNumber } = node.callFrame
        const here = [`${functionName || '(anonymous)'} ${url.replace(/^.*\/(?=[^/]*\/[^/]*$)/, '')}:${lineNumber + 1}`, ...path.slice(0, 2)]
        if (node.selfSize) sizes.set(here.join(' < '), (sizes.get(here.join(' < ')) ?? 0) + node.selfSize)
        for (const child of node.children) add(child, here)
      }
      add(profile.head, [])
      return [...sizes]
        .toSorted((a, b) => b[1] - a[1])
        .slice(0, 25)
        .map(([where, size]) => `${(size / 1024).toFixed(0)} KB ${where}`)
    },
    close: () => socket.close(),
  }
}

const residentOf = (pid: number) => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024
