// Outlives a test run to end what the run left: its standard input ends when the run's own process does, in whatever way.
import { removeRun } from './run-folder.ts'

const folder = process.argv[2]!
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => {})
process.stdin.on('error', () => {}).on('close', () => void removeRun(folder))
process.stdin.resume()
