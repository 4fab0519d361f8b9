// Outlives a test run to end its leftovers: its standard input closes when the run's process ends, for whatever reason.
import { removeRun } from './run-folder.ts'

const folder = process.argv[2]!
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => {})
process.stdin.on('error', () => {}).on('close', () => void removeRun(folder))
process.stdin.resume()
