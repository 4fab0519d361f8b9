import { hostname } from 'node:os'
import type { PlatformConfig } from '#platform/server/config.ts'
import type { Log } from '#platform/server/log.ts'
import { createWatchdog } from './watchdog.ts'
import { startWriteProbe } from './write-probe.ts'
import type { WriteProbe } from './write-probe.ts'

/** Watches the process's database and raises alarms. */
export function startWatch(config: PlatformConfig, databaseUrl: string, { roles, log }: { roles: ReadonlySet<string>; log: Log }): WriteProbe {
  const watchdog = createWatchdog({ alarmUrl: config.ALARM_URL, heartbeatUrl: config.HEARTBEAT_URL, log })
  return startWriteProbe({
    databaseUrl,
    name: `${hostname()}:${config.PORT || `pid ${process.pid}`}`,
    roles: [...roles],
    log,
    onResult: watchdog.observe,
  })
}
