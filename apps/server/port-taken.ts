/** Ports that default to an offset from PORT. */
const AFTER_PORT: Readonly<Record<string, number>> = { CONSOLE_PORT: 1000, PROXY_PORT: 2000 }

/** Finds the setting that chose a port: the one that names it, or the one that is an offset from PORT; otherwise PORT. */
export function findPortSetting(config: Readonly<Record<string, unknown>>, port: number): string {
  if (config['PORT'] === port) return 'PORT'
  const named = Object.entries(config).find(([name, value]) => name.endsWith('PORT') && value === port)?.[0]
  if (named) return named
  const away = Math.abs(port - Number(config['PORT']))
  return Object.entries(AFTER_PORT).find(([name, distance]) => config[name] === undefined && distance === away)?.[0] ?? 'PORT'
}

/** Error message for a port that another program uses; names the setting to change. */
export function describePortTaken(config: Readonly<Record<string, unknown>>, port: number): string {
  const setting = findPortSetting(config, port)
  return `port ${port} is taken; choose another one with ${setting}=${port < 65_535 ? port + 1 : port - 1} npm start`
}
