import { PRODUCTION_ROLES } from '../../scripts/release/start-release.ts'
import type { StartedRelease } from '../../scripts/release/start-release.ts'
import { callChatModel, fetchPageWithFiles } from './rehearsal.ts'

/** Tries the purpose of a role once. Returns the problems. */
async function tryRole(role: string, { url, consoleUrl }: StartedRelease, key: string): Promise<string[]> {
  const ready = (await fetch(`${url}/readyz`)).status
  if (ready !== 200) return [`${role}: /readyz ${ready}`]
  if (role === 'gateway') {
    const said = await callChatModel(url, key)
    return said.includes('from the vendor') ? [] : [`gateway: ${said}`]
  }
  if (role !== 'api' && role !== 'console') return []
  const { status, files } = await fetchPageWithFiles(role === 'api' ? `${url}/` : `${consoleUrl}/`)
  const extension = role === 'api' ? (await fetch(`${url}/extension/mingxi-proxy.zip`)).status : 200
  const isRight = status === 200 && extension === 200 && files.length > 0 && files.every((one) => one === 200)
  return isRight ? [] : [`${role}: its page answers ${status}, its files ${files.join()}, the extension ${extension}`]
}

/** Starts each role of production alone, opens the site and the console, makes a model call, and prints how long each start took. */
export async function tryEveryRole(start: (role: string) => Promise<StartedRelease>, key: string): Promise<string[]> {
  const problems: string[] = []
  for (const role of PRODUCTION_ROLES) {
    const server = await start(role)
    problems.push(...(await tryRole(role, server, key)))
    console.log(`  ${role.padEnd(8)} listens after ${String(server.ms).padStart(5)} ms, ${server.memoryMb()} MB`)
    await server.stop()
  }
  return problems
}
