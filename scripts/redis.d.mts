export function ensureRedis(say?: (line: string) => void): string | undefined
