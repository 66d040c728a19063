import { openSealingKey, sealPlainSecrets } from '#server/auth/sealing.ts'
import { authSettingsOf } from '#server/auth/settings.ts'
import type { OpenDatabase } from '#server/boot/open-database.ts'
import { whyNotListening } from '#server/boot/port.ts'
import type { Settings } from '#server/boot/settings.ts'
import type { RouteTable, Services } from '#server/http/route.ts'
import type { SftpListener } from '#server/sftp/listen.ts'
import { settingOf } from '#server/tables/setting.ts'

/** Maximum milliseconds for an answer: after that the database counts as hanging. */
const answerWithin = 4_800

/** The services of a process on an open database; `demo` says whether it shows the demo company's codes. */
export async function servicesOn(
  { db, changing, background, replicas }: OpenDatabase,
  settings: Settings,
  { routes, demo, stopping }: { routes: RouteTable; demo: boolean; stopping: AbortSignal },
): Promise<Services> {
  const sealingKey = await openSealingKey(db, settings)
  await sealPlainSecrets(db, sealingKey)
  return {
    db,
    changing,
    background,
    replicas,
    auth: { ...authSettingsOf(settings, demo), sealingKey },
    cursorSecret: (await settingOf(db, 'cursor-secret')) as string,
    routes,
    answerWithin,
    checkAnswers: settings.checkAnswers,
    stopping,
  }
}

/** Listens for SFTP if configured. */
export async function listenForFiles(
  services: Services,
  { sftp }: Settings,
  report: (error: unknown) => void,
): Promise<SftpListener | null> {
  if (!sftp) return null
  const { listenForSftp } = await import('#server/sftp/listen.ts')
  try {
    return await listenForSftp(services, { ...sftp, report })
  } catch (error) {
    throw whyNotListening(error, sftp.port, sftp.host, 'SFTP_')
  }
}
