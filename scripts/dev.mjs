// `npm run dev`: the server, restarted on change, and the pages with hot reload on http://localhost:5200.
import { spawn } from 'node:child_process'

const children = [
  spawn(process.execPath, ['--watch', '--watch-preserve-output', 'apps/server/main.ts'], { stdio: 'inherit' }),
  spawn(process.execPath, ['node_modules/vite/bin/vite.js', '--port', '5200'], { stdio: 'inherit' }),
]
const stop = () => children.forEach((child) => child.kill('SIGTERM'))
process.on('SIGINT', stop)
process.on('SIGTERM', stop)
for (const child of children) child.on('exit', stop)
