export function onPath(name: string, env?: NodeJS.ProcessEnv): string | undefined
export function findChromium(env?: NodeJS.ProcessEnv): string | undefined
export function ensureChromium(say?: (line: string) => void): { path: string | undefined; problem: string | undefined }
