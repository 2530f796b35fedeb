/** One documentation in several languages, and questions that each copy answers, in words of its own. */
export const copies: Readonly<
  Record<
    string,
    {
      readonly page: string;
      /** Part of the heading that answers, and the question. */
      readonly questions: readonly (readonly [heading: string, question: string])[];
    }
  >
> = {
  en: {
    page: `# Order service

## Restart

Drain the queue before you restart the service, or messages that are being processed are delivered twice.

## Backups

The database is saved every night at two. Copies are kept for thirty days in another data center.

## Roll back a release

Choose the previous version in the release list and confirm. Migrations of the database are not undone.

## Certificates

Certificates are renewed automatically ten days before they expire. An expired one has to be replaced by hand.

## Memory limits

A container that needs more memory than its limit is ended by the kernel. Raise the limit in the deployment.

## Access for new employees

The team lead requests access in the portal. It is granted within one working day and ends with the contract.

## Alerts at night

Between ten in the evening and six in the morning only alerts of the highest severity call the person on duty.

## Logs

Log files are deleted after fourteen days. Passwords and card numbers are removed before they are written.
`,
    questions: [
      ["Restart", "What do I do before I restart the service?"],
      ["Backups", "How long are copies of the database kept?"],
      ["Roll back", "How can I go back to the previous version of a release?"],
      ["Certificates", "When are certificates renewed?"],
      ["Memory", "Why does the kernel end my container?"],
      ["Access", "Who requests access for new employees?"],
      ["Alerts", "Which alerts call the person on duty at night?"],
      ["Logs", "When are log files deleted?"],
    ],
  },
  de: {
    page: `# Bestelldienst

## Neustart

Leeren Sie die Warteschlange, bevor Sie den Dienst neu starten; sonst werden Nachrichten in Arbeit doppelt zugestellt.

## Sicherungen

Die Datenbank wird jede Nacht um zwei Uhr gesichert. Kopien werden dreißig Tage in einem anderen Rechenzentrum aufbewahrt.

## Eine Version zurückrollen

Wählen Sie in der Versionsliste die vorherige Version und bestätigen Sie. Migrationen der Datenbank werden nicht rückgängig gemacht.

## Zertifikate

Zertifikate werden zehn Tage vor ihrem Ablauf automatisch erneuert. Ein abgelaufenes muss von Hand ersetzt werden.

## Speichergrenzen

Ein Container, der mehr Speicher als seine Grenze braucht, wird vom Kernel beendet. Erhöhen Sie die Grenze im Deployment.

## Zugang für neue Mitarbeiter

Die Teamleitung beantragt den Zugang im Portal. Er wird innerhalb eines Arbeitstages erteilt und endet mit dem Vertrag.

## Alarme in der Nacht

Zwischen zehn Uhr abends und sechs Uhr morgens rufen nur Alarme der höchsten Stufe den Bereitschaftsdienst.

## Protokolle

Protokolldateien werden nach vierzehn Tagen gelöscht. Passwörter und Kartennummern werden vor dem Schreiben entfernt.
`,
    questions: [
      ["Neustart", "Was muss ich tun, bevor ich den Dienst neu starte?"],
      ["Sicherungen", "Wie lange werden die Kopien der Datenbanken aufbewahrt?"],
      ["Version", "Wie komme ich zur vorherigen Version zurück?"],
      ["Zertifikate", "Wann wird ein Zertifikat erneuert?"],
      ["Speichergrenzen", "Warum beendet der Kernel meinen Container?"],
      ["Zugang", "Wer beantragt den Zugang für einen neuen Mitarbeiter?"],
      ["Alarme", "Welche Alarme rufen nachts die Bereitschaft?"],
      ["Protokolle", "Wann werden Protokolldateien gelöscht?"],
    ],
  },
  es: {
    page: `# Servicio de pedidos

## Reinicio

Vacíe la cola antes de reiniciar el servicio; de lo contrario, los mensajes en proceso se entregan dos veces.

## Copias de seguridad

La base de datos se guarda cada noche a las dos. Las copias se conservan treinta días en otro centro de datos.

## Volver a una versión anterior

Elija la versión anterior en la lista de versiones y confirme. Las migraciones de la base de datos no se deshacen.

## Certificados

Los certificados se renuevan automáticamente diez días antes de caducar. Uno caducado debe reemplazarse a mano.

## Límites de memoria

El núcleo termina un contenedor que necesita más memoria que su límite. Suba el límite en el despliegue.

## Acceso para empleados nuevos

El responsable del equipo solicita el acceso en el portal. Se concede en un día laborable y termina con el contrato.

## Alertas nocturnas

Entre las diez de la noche y las seis de la mañana solo las alertas más graves llaman a la persona de guardia.

## Registros

Los archivos de registro se borran a los catorce días. Las contraseñas y los números de tarjeta se eliminan antes de escribirlos.
`,
    questions: [
      ["Reinicio", "¿Qué debo hacer antes de reiniciar el servicio?"],
      ["Copias", "¿Cuánto tiempo se conservan las copias de la base de datos?"],
      ["versión", "¿Cómo vuelvo a la versión anterior?"],
      ["Certificados", "¿Cuándo se renueva un certificado?"],
      ["memoria", "¿Por qué el núcleo termina mi contenedor?"],
      ["Acceso", "¿Quién solicita el acceso de un empleado nuevo?"],
      ["Alertas", "¿Qué alertas llaman por la noche a la guardia?"],
      ["Registros", "¿Cuándo se borran los archivos de registro?"],
    ],
  },
  fr: {
    page: `# Service de commandes

## Redémarrage

Videz la file avant de redémarrer le service, sinon les messages en cours sont livrés deux fois.

## Sauvegardes

La base de données est sauvegardée chaque nuit à deux heures. Les copies sont conservées trente jours dans un autre centre de données.

## Revenir à une version précédente

Choisissez la version précédente dans la liste des versions et confirmez. Les migrations de la base ne sont pas annulées.

## Certificats

Les certificats sont renouvelés automatiquement dix jours avant leur expiration. Un certificat expiré doit être remplacé à la main.

## Limites de mémoire

Un conteneur qui a besoin de plus de mémoire que sa limite est arrêté par le noyau. Augmentez la limite dans le déploiement.

## Accès des nouveaux employés

Le chef d'équipe demande l'accès dans le portail. Il est accordé en un jour ouvré et prend fin avec le contrat.

## Alertes de nuit

Entre vingt-deux heures et six heures, seules les alertes les plus graves appellent la personne d'astreinte.

## Journaux

Les fichiers journaux sont supprimés après quatorze jours. Les mots de passe et les numéros de carte en sont retirés avant l'écriture.
`,
    questions: [
      ["Redémarrage", "Que faire avant de redémarrer le service ?"],
      ["Sauvegardes", "Combien de temps les copies de la base de données sont-elles conservées ?"],
      ["version", "Comment revenir à la version précédente ?"],
      ["Certificats", "Quand un certificat est-il renouvelé ?"],
      ["mémoire", "Pourquoi le noyau arrête-t-il mon conteneur ?"],
      ["Accès", "Qui demande l'accès d'un nouvel employé ?"],
      ["Alertes", "Quelles alertes appellent l'astreinte la nuit ?"],
      ["Journaux", "Quand les fichiers journaux sont-ils supprimés ?"],
    ],
  },
  zh: {
    page: `# 订单服务

## 重新启动

重新启动服务之前请先清空队列，否则正在处理的消息会被投递两次。

## 备份

数据库每天凌晨两点备份。副本在另一个数据中心保存三十天。

## 回滚版本

在版本列表中选择上一个版本并确认。数据库迁移不会被撤销。

## 证书

证书在到期前十天自动更新。已经过期的证书必须手动更换。

## 内存限制

容器需要的内存超过限制时会被内核终止。请在部署中提高限制。

## 新员工的访问权限

团队负责人在门户中申请访问权限。权限在一个工作日内授予，随合同结束而失效。

## 夜间警报

晚上十点到早上六点之间，只有最高级别的警报才会呼叫值班人员。

## 日志

日志文件在十四天后删除。密码和卡号在写入之前被去除。
`,
    questions: [
      ["重新启动", "重新启动服务之前应该做什么？"],
      ["备份", "数据库的副本保存多久？"],
      ["回滚", "怎样回滚到上一个版本？"],
      ["证书", "证书什么时候更新？"],
      ["内存", "为什么内核会终止我的容器？"],
      ["访问权限", "谁为新员工申请访问权限？"],
      ["警报", "夜间哪些警报会呼叫值班人员？"],
      ["日志", "日志文件什么时候删除？"],
    ],
  },
  ja: {
    page: `# 注文サービス

## 再起動

サービスを再起動する前にキューを空にしてください。そうしないと処理中のメッセージが二重に配信されます。

## バックアップ

データベースは毎晩二時に保存されます。コピーは別のデータセンターに三十日間保管されます。

## 以前のバージョンに戻す

バージョン一覧で以前のバージョンを選び、確認します。データベースの移行は取り消されません。

## 証明書

証明書は期限の十日前に自動的に更新されます。期限切れの証明書は手動で交換する必要があります。

## メモリの上限

上限を超えるメモリを必要とするコンテナはカーネルによって終了されます。デプロイメントで上限を上げてください。

## 新しい社員のアクセス権

チームリーダーがポータルでアクセス権を申請します。一営業日以内に付与され、契約とともに終了します。

## 夜間のアラート

夜十時から朝六時までは、最も深刻なアラートだけが当番を呼び出します。

## ログ

ログファイルは十四日後に削除されます。パスワードとカード番号は書き込む前に取り除かれます。
`,
    questions: [
      ["再起動", "サービスを再起動する前に何をすればよいですか？"],
      ["バックアップ", "データベースのコピーはどのくらい保管されますか？"],
      ["バージョン", "以前のバージョンに戻すにはどうすればよいですか？"],
      ["証明書", "証明書はいつ更新されますか？"],
      ["メモリ", "なぜカーネルはコンテナを終了するのですか？"],
      ["アクセス権", "新しい社員のアクセス権は誰が申請しますか？"],
      ["アラート", "夜間にどのアラートが当番を呼び出しますか？"],
      ["ログ", "ログファイルはいつ削除されますか？"],
    ],
  },
};
