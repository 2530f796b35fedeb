import { encoded, fake } from "./fake.js";

/** One shape of secret: the secret itself, and a text that holds it. */
export interface SecretShape {
  readonly name: string;
  readonly secret: string;
  readonly text: string;
}

function shape(name: string, secret: string, text: (secret: string) => string): SecretShape {
  return { name, secret, text: text(secret) };
}

const pem = (label: string, body: string) =>
  `-----BEGIN ${label}-----\n${body.match(/.{1,64}/g)?.join("\n") ?? body}\n-----END ${label}-----`;

const jwt = `${Buffer.from('{"alg":"RS256","kid":"a"}').toString("base64url")}.${Buffer.from('{"sub":"system:serviceaccount:shop:api"}').toString("base64url")}.${fake("base64url", 86, 9)}`;

const uuid = `${fake("hex", 8, 70)}-${fake("hex", 4, 71)}-${fake("hex", 4, 72)}-${fake("hex", 4, 73)}-${fake("hex", 12, 74)}`;

/** Tokens whose own form gives them away, in texts that do not name them a secret. */
const tokens: readonly SecretShape[] = [
  shape("AWS access key", `AKIA${fake("base32", 16)}`, (s) => `Uploads run as ${s} since Monday.`),
  shape(
    "AWS temporary key",
    `ASIA${fake("base32", 16)}`,
    (s) => `assumed role, id ${s}, expires in 1h`,
  ),
  shape("GitHub classic", `ghp_${fake("base62", 36)}`, (s) => `remote rejected ${s} with 403`),
  shape("GitHub OAuth", `gho_${fake("base62", 36)}`, (s) => `using ${s} for api.github.com`),
  shape("GitHub server", `ghs_${fake("base62", 36)}`, (s) => `checkout with ${s}`),
  shape("GitHub user", `ghu_${fake("base62", 36)}`, (s) => `(${s})`),
  shape("GitHub refresh", `ghr_${fake("base62", 76)}`, (s) => `got ${s} back`),
  shape(
    "GitHub fine grained",
    `github_pat_${fake("base62", 22)}_${fake("base62", 59)}`,
    (s) => `git remote set to https://api.github.com with ${s}`,
  ),
  shape("GitLab personal", `glpat-${fake("base64url", 20)}`, (s) => `curl sent ${s}`),
  shape("GitLab trigger", `glptt-${fake("hex", 40)}`, (s) => `pipeline started by ${s}`),
  shape("GitLab runner", `glrt-${fake("base64url", 20)}`, (s) => `registered ${s}`),
  shape(
    "GitLab deploy",
    `gldt-${fake("base64url", 20)}`,
    (s) => `pull as gitlab+deploy with ${s}.`,
  ),
  shape(
    "GitLab registration",
    `GR1348941${fake("base64url", 20)}`,
    (s) => `gitlab-runner register ${s}`,
  ),
  shape(
    "Slack bot",
    `xoxb-${fake("digits", 12)}-${fake("digits", 12, 2)}-${fake("base62", 24)}`,
    (s) => `slack: ${s}`,
  ),
  shape(
    "Slack user",
    `xoxp-${fake("digits", 11)}-${fake("digits", 11, 2)}-${fake("digits", 12)}-${fake("hex", 32)}`,
    (s) => `posted by ${s}`,
  ),
  shape(
    "Slack app",
    `xapp-1-A${fake("upper", 10)}-${fake("digits", 13)}-${fake("hex", 64)}`,
    (s) => `socket mode with ${s}`,
  ),
  shape(
    "Slack webhook",
    `T${fake("upper", 8)}/B${fake("upper", 10)}/${fake("base62", 24)}`,
    (s) => `notify https://hooks.slack.com/services/${s} on failure`,
  ),
  shape("Plaid", `access-production-${uuid}`, (s) => `item fetched with ${s}`),
  shape("Stripe live", `sk_live_${fake("base62", 24)}`, (s) => `charge failed for ${s}`),
  shape("Stripe restricted", `rk_live_${fake("base62", 24)}`, (s) => `charge failed for ${s}`),
  shape("Stripe test", `sk_test_${fake("base62", 24)}`, (s) => `using ${s} in staging`),
  shape("Stripe webhook", `whsec_${fake("base62", 32)}`, (s) => `verify with ${s}`),
  shape(
    "Google API",
    `AIza${fake("base64url", 35)}`,
    (s) => `maps.googleapis.com called with ${s}`,
  ),
  shape("Google client", `GOCSPX-${fake("base64url", 28)}`, (s) => `consent screen of ${s}`),
  shape("Google access", `ya29.${fake("base64url", 120)}`, (s) => `gcloud printed ${s}`),
  shape(
    "Azure client",
    `${fake("base62", 3)}8Q~${fake("base62", 34)}`,
    (s) => `app registration uses ${s}`,
  ),
  shape("npm", `npm_${fake("base62", 36)}`, (s) => `publish with ${s} failed: E401`),
  shape("PyPI", `pypi-AgEIcHlwaS5vcmc${fake("base64url", 80)}`, (s) => `twine upload ${s}`),
  shape("Docker Hub", `dckr_pat_${fake("base64url", 27)}`, (s) => `docker.io says ${s} is expired`),
  shape("DigitalOcean", `dop_v1_${fake("hex", 64)}`, (s) => `doctl uses ${s}`),
  shape("DigitalOcean OAuth", `doo_v1_${fake("hex", 64)}`, (s) => `doctl uses ${s}`),
  shape("Heroku", `HRKU-AA${fake("base64url", 58)}`, (s) => `heroku: ${s}`),
  shape(
    "SendGrid",
    `SG.${fake("base64url", 22)}.${fake("base64url", 43)}`,
    (s) => `mail through ${s} bounced`,
  ),
  shape("Mailgun", `key-${fake("hex", 32)}`, (s) => `mailgun with ${s}`),
  shape("Mailchimp", `${fake("hex", 32)}-us12`, (s) => `mailchimp ${s}`),
  shape("Twilio", `SK${fake("hex", 32)}`, (s) => `twilio ${s}`),
  shape(
    "OpenAI project",
    `sk-proj-${fake("base64url", 74)}T3BlbkFJ${fake("base64url", 74, 2)}`,
    (s) => `429 for ${s}`,
  ),
  shape(
    "OpenAI",
    `sk-${fake("base62", 20)}T3BlbkFJ${fake("base62", 20, 2)}`,
    (s) => `429 for ${s}`,
  ),
  shape("Anthropic", `sk-ant-api03-${fake("base64url", 93)}AA`, (s) => `429 for ${s}`),
  shape("Hugging Face", `hf_${fake("letters", 34)}`, (s) => `download with ${s}`),
  shape("Databricks", `dapi${fake("hex", 32)}`, (s) => `workspace uses ${s}`),
  shape("New Relic user", `NRAK-${fake("upper", 27)}`, (s) => `newrelic ${s}`),
  shape(
    "Grafana cloud",
    `glc_${encoded(`{"o":"1","k":"${fake("base62", 24)}"}`).replaceAll("=", "")}`,
    (s) => `agent sends with ${s}`,
  ),
  shape(
    "Grafana service account",
    `glsa_${fake("base62", 32)}_${fake("hex", 8)}`,
    (s) => `dashboards read by ${s}`,
  ),
  shape("Sentry", `sntryu_${fake("hex", 64)}`, (s) => `sentry-cli ${s}`),
  shape("Vault service", `hvs.${fake("base64url", 90)}`, (s) => `vault login ${s}`),
  shape("Vault batch", `hvb.${fake("base64url", 140)}`, (s) => `lease of ${s}`),
  shape(
    "Terraform Cloud",
    `${fake("base62", 14)}.atlasv1.${fake("base64url", 64)}`,
    (s) => `app.terraform.io knows ${s}`,
  ),
  shape("Pulumi", `pul-${fake("hex", 40)}`, (s) => `pulumi up as ${s}`),
  shape("Doppler", `dp.pt.${fake("base62", 43)}`, (s) => `doppler run ${s}`),
  shape("Linear", `lin_api_${fake("base62", 40)}`, (s) => `linear issue by ${s}`),
  shape("Notion", `ntn_${fake("digits", 11)}${fake("base62", 35)}`, (s) => `notion page by ${s}`),
  shape(
    "Atlassian",
    `ATATT3xFfGF0${fake("base64url", 172)}=${fake("upper", 8)}`,
    (s) => `jira user ${s}`,
  ),
  shape("Shopify", `shpat_${fake("hex", 32)}`, (s) => `shop app ${s}`),
  shape("Square", `sq0csp-${fake("base64url", 43)}`, (s) => `square ${s}`),
  shape(
    "Telegram bot",
    `${fake("digits", 9, 3).replace(/^0/, "4")}:AA${fake("base64url", 33)}`,
    (s) => `https://api.telegram.org/bot${s}/sendMessage gave 502`,
  ),
  shape(
    "Discord webhook",
    `${fake("digits", 18)}/${fake("base64url", 68)}`,
    (s) => `POST https://discord.com/api/webhooks/${s} 204`,
  ),
  shape("Postman", `PMAK-${fake("hex", 24)}-${fake("hex", 34)}`, (s) => `newman ${s}`),
  shape(
    "Cloudflare origin",
    `v1.0-${fake("hex", 24)}-${fake("hex", 146)}`,
    (s) => `origin ca ${s}`,
  ),
  shape("Fly", `fo1_${fake("base64url", 43)}`, (s) => `flyctl ${s}`),
  shape("PlanetScale", `pscale_pw_${fake("base64url", 43)}`, (s) => `branch main, ${s}`),
  shape("Supabase", `sbp_${fake("hex", 40)}`, (s) => `supabase ${s}`),
  shape("age", `AGE-SECRET-KEY-1${fake("upper", 58).replaceAll(/[1BIO]/g, "Q")}`, (s) => `${s}\n`),
  shape("Artifactory", `AKCp${fake("base62", 69)}`, (s) => `jfrog rt ping ${s}`),
  shape("RubyGems", `rubygems_${fake("hex", 48)}`, (s) => `gem push as ${s}`),
  shape("Airtable", `pat${fake("base62", 14)}.${fake("hex", 64)}`, (s) => `base of ${s}`),
  shape("crates.io", `cio${fake("base62", 32)}`, (s) => `cargo login ${s}`),
  shape("NuGet", `oy2${fake("lower", 43)}`, (s) => `dotnet nuget push app.nupkg ${s}`),
  shape("Clojars", `CLOJARS_${fake("hex", 60)}`, (s) => `lein deploy ${s}`),
  shape("Prefect", `pnu_${fake("lower", 36)}`, (s) => `prefect cloud login ${s}`),
  shape("Perplexity", `pplx-${fake("base62", 48)}`, (s) => `model call with ${s}`),
  shape("Groq", `gsk_${fake("base62", 52)}`, (s) => `model call with ${s}`),
  shape(
    "Tailscale",
    `tskey-auth-${fake("base62", 12)}CNTRL-${fake("base62", 32)}`,
    (s) => `tailscale up ${s}`,
  ),
  shape("EasyPost", `EZAK${fake("base62", 54)}`, (s) => `label bought with ${s}`),
  shape("Sourcegraph", `sgp_${fake("hex", 16)}_${fake("hex", 40)}`, (s) => `src search by ${s}`),
  shape("1Password", `ops_eyJ${fake("base64", 260)}`, (s) => `op run ${s}`),
  shape("service account token", jwt, (s) => `kubelet mounted ${s} at /var/run`),
  shape(
    "RSA key",
    fake("base64", 640),
    (s) => `the file holds\n${pem("RSA PRIVATE KEY", s)}\nas it should`,
  ),
  shape("OpenSSH key", fake("base64", 320), (s) => pem("OPENSSH PRIVATE KEY", s)),
  shape("PGP key", fake("base64", 320), (s) => pem("PGP PRIVATE KEY BLOCK", s)),
  shape(
    "NATS seed",
    `SUA${fake("base32", 55)}`,
    (s) => `-----BEGIN USER NKEY SEED-----\n${s}\n------END USER NKEY SEED------`,
  ),
];

/** Secrets that their surroundings give away: assignments, flags, addresses, headers, documents. */
const places: readonly SecretShape[] = [
  shape("env", fake("password", 14), (s) => `DB_PASSWORD=${s}`),
  shape(
    "env, low entropy",
    `hunter${fake("digits", 2)}`,
    (s) => `APP_ENV=prod DB_PASSWORD=${s} ./start`,
  ),
  shape(
    "AWS credentials file",
    fake("base64", 40),
    (s) => `[default]\naws_secret_access_key = ${s}\nregion = eu-west-1`,
  ),
  shape(
    "AWS JSON",
    fake("base64", 40, 4),
    (s) => `{"AccessKeyId": "x", "SecretAccessKey": "${s}", "Region": "eu"}`,
  ),
  shape("AWS session", `${fake("base64", 300, 5)}==`, (s) => `"SessionToken": "${s}"`),
  shape("Datadog", fake("hex", 32), (s) => `DD_API_KEY=${s} datadog-agent run`),
  shape("Twilio token", fake("hex", 32, 2), (s) => `TWILIO_AUTH_TOKEN: ${s}`),
  shape("Cloudflare", fake("base64url", 40, 6), (s) => `export CLOUDFLARE_API_TOKEN="${s}"`),
  shape(
    "Google service account",
    fake("base64", 800, 3),
    (s) =>
      `{"type": "service_account", "private_key": "-----BEGIN PRIVATE KEY-----\\n${s}\\n-----END PRIVATE KEY-----\\n"}`,
  ),
  shape(
    "Azure storage",
    `${fake("base64", 86)}==`,
    (s) =>
      `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${s};EndpointSuffix=core.windows.net`,
  ),
  shape(
    "Azure SAS",
    `${encodeURIComponent(`${fake("base64", 43)}=`)}`,
    (s) => `GET https://shop.blob.core.windows.net/logs?sv=2022-11-02&se=2026-01-01&sr=b&sig=${s}`,
  ),
  shape(
    "AWS presigned",
    fake("hex", 64, 7),
    (s) => `https://b.s3.amazonaws.com/k?X-Amz-Expires=900&X-Amz-Signature=${s}`,
  ),
  shape(
    "Docker config",
    encoded(`ci:${fake("password", 12)}`),
    (s) => `{"auths": {"registry.example.com": {"auth": "${s}"}}}`,
  ),
  shape(
    "YAML block scalar",
    fake("password", 18, 2),
    (s) => `db:\n  password: |\n    ${s}\n  port: 5432`,
  ),
  shape("YAML folded scalar", fake("password", 18, 3), (s) => `apiKey: >-\n  ${s}\nname: shop`),
  shape("YAML next line", fake("password", 18, 4), (s) => `password:\n  ${s}\nuser: app`),
  shape("YAML next line, quoted", fake("base62", 18, 5), (s) => `client_secret:\n  "${s}"`),
  shape(
    "YAML quoted",
    `${fake("letters", 5)} ${fake("letters", 6)} ${fake("digits", 3)}`,
    (s) => `user: app\npassword: "${s}"\nport: 1`,
  ),
  shape("JSON", fake("password", 10, 7), (s) => `{"user":"app","password":"${s}","port":5432}`),
  shape("JSON, next line", fake("base62", 22, 8), (s) => `{\n  "accessToken":\n    "${s}"\n}`),
  shape("JSON in JSON", fake("base62", 12, 9), (s) =>
    JSON.stringify({ body: JSON.stringify({ user: "a", password: s }) }),
  ),
  shape(
    "Java properties",
    fake("password", 11, 10),
    (s) => `spring.datasource.password=${s}\nspring.datasource.username=app`,
  ),
  shape(
    "XML element",
    fake("base62", 11, 11),
    (s) => `<server><username>ci</username><password>${s}</password></server>`,
  ),
  shape(
    "XML attribute",
    fake("base62", 11, 12),
    (s) => `<add key="db" connectionString="x" password="${s}" />`,
  ),
  shape("INI pwd", fake("base62", 9, 13), (s) => `[mysql]\nuser = app\npwd = ${s}`),
  shape("passphrase", fake("base62", 16, 14), (s) => `gpg --batch --passphrase ${s} -d file.gpg`),
  shape("flag", fake("base62", 12, 15), (s) => `mysqldump --user=root --password=${s} shop`),
  shape("flag, apart", fake("password", 12, 16), (s) => `psql-backup --password ${s} --host db`),
  shape("mysql -p", fake("base62", 10, 17), (s) => `mysql -h db -u root -p${s} shop`),
  shape(
    "mysqladmin -p",
    fake("password", 12, 18),
    (s) => `command: ["mysqladmin", "ping", "-p${s}"]`,
  ),
  shape(
    "docker login -p",
    fake("base62", 14, 19),
    (s) => `docker login -u ci -p ${s} registry.example.com`,
  ),
  shape("sshpass", fake("base62", 9, 20), (s) => `sshpass -p '${s}' ssh root@10.0.0.4`),
  shape("curl user", fake("base62", 13, 21), (s) => `curl -s -u admin:${s} https://es:9200/_cat`),
  shape(
    "curl user, long",
    fake("base62", 13, 22),
    (s) => `curl --user "elastic:${s}" https://es:9200`,
  ),
  shape("redis-cli", fake("base62", 16, 23), (s) => `redis-cli -h cache -a ${s} ping`),
  shape("PGPASSWORD", fake("base62", 10, 24), (s) => `PGPASSWORD='${s}' psql -h db -U app`),
  shape(
    "postgres address",
    fake("base62", 10, 25),
    (s) => `cannot connect to postgres://app:${s}@db:5432/shop?sslmode=require`,
  ),
  shape(
    "mongodb address",
    fake("base62", 15, 26),
    (s) => `mongodb+srv://shop:${s}@cluster0.example.net/shop`,
  ),
  shape("redis address", fake("base62", 15, 27), (s) => `REDIS=redis://:${s}@cache:6379/0`),
  shape("amqp address", fake("letters", 7, 62), (s) => `dialing amqp://shop:${s}@mq:5672`),
  shape(
    "git address",
    fake("base62", 20, 28),
    (s) => `fatal: could not read from https://oauth2:${s}@git.example.com/a/b.git`,
  ),
  shape(
    "address without scheme",
    fake("base62", 12, 29),
    (s) => `dsn app:${s}@tcp(db:3306)/shop?parseTime=true`,
  ),
  shape(
    "JDBC",
    fake("base62", 12, 30),
    (s) => `jdbc:postgresql://db/shop?user=app&password=${s}&ssl=true`,
  ),
  shape(
    "ADO",
    fake("base62", 12, 31),
    (s) => `Server=db;Database=shop;User Id=sa;Password=${s};Encrypt=True`,
  ),
  shape("Basic header", encoded(`admin:${fake("base62", 12)}`), (s) => `Authorization: Basic ${s}`),
  shape(
    "Bearer header",
    fake("base64url", 40, 32),
    (s) => `> authorization: Bearer ${s}\n> accept: */*`,
  ),
  shape(
    "Bearer, curl",
    fake("base62", 24, 33),
    (s) => `curl -H "Authorization: Bearer ${s}" https://api.example.com`,
  ),
  shape("API key header", fake("base62", 28, 34), (s) => `x-api-key: ${s}`),
  shape("cookie", fake("base64url", 32, 35), (s) => `Cookie: theme=dark; sessionid=${s}`),
  shape(
    "set-cookie",
    fake("base64url", 32, 36),
    (s) => `Set-Cookie: session=${s}; HttpOnly; Path=/`,
  ),
  shape("query", fake("base62", 30, 37), (s) => `GET /v1/items?page=2&access_token=${s} HTTP/1.1`),
  shape(
    "query key",
    fake("base62", 24, 38),
    (s) => `GET https://api.example.com/geo?api_key=${s}&q=berlin`,
  ),
  shape(
    "form",
    fake("base62", 32, 39),
    (s) => `grant_type=client_credentials&client_id=shop&client_secret=${s}`,
  ),
  shape(
    "Secret, YAML",
    encoded(fake("password", 14, 40)),
    (s) =>
      `apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ntype: Opaque\ndata:\n  url: ${s}\n`,
  ),
  shape(
    "Secret, YAML, data first",
    encoded(fake("password", 14, 41)),
    (s) => `apiVersion: v1\ndata:\n  a.conf: ${s}\nkind: Secret\nmetadata:\n  name: db\n`,
  ),
  shape(
    "Secret, stringData",
    fake("letters", 9, 42),
    (s) => `apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\nstringData:\n  user: ${s}\n`,
  ),
  shape("Secret, JSON", encoded(fake("password", 14, 43)), (s) =>
    JSON.stringify({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "db" },
      data: { conf: s },
    }),
  ),
  shape("Secret, JSON, pretty", encoded(fake("letters", 14, 44)), (s) =>
    JSON.stringify(
      { apiVersion: "v1", data: { "tls.key": s, other: "eA==" }, kind: "Secret" },
      null,
      2,
    ),
  ),
  shape(
    "container env",
    fake("base62", 12, 45),
    (s) => `env:\n  - name: DB_PASSWORD\n    value: ${s}\n  - name: PORT\n    value: "80"`,
  ),
  shape(
    "container env, JSON",
    fake("base62", 12, 46),
    (s) => `{"env":[{"name":"API_TOKEN","value":"${s}"}]}`,
  ),
  shape("htpasswd", `$2y$05$${fake("crypt", 53)}`, (s) => `admin:${s}`),
  shape("bcrypt", `$2b$12$${fake("crypt", 53, 2)}`, (s) => `row 7: ${s} (updated)`),
  shape(
    "shadow",
    `$6$${fake("crypt", 8)}$${fake("crypt", 86)}`,
    (s) => `root:${s}:19000:0:99999:7:::`,
  ),
  shape(
    "yescrypt",
    `$y$j9T$${fake("crypt", 22)}$${fake("crypt", 43)}`,
    (s) => `deploy:${s}:19000:::::`,
  ),
  shape(
    "argon2",
    `$argon2id$v=19$m=65536,t=3,p=4$${fake("base64", 22)}$${fake("base64", 43)}`,
    (s) => `hash ${s}`,
  ),
  shape(
    "Django",
    `pbkdf2_sha256$260000$${fake("base62", 22)}$${fake("base64", 43)}=`,
    (s) => `auth_user: ${s}`,
  ),
  shape("Apache MD5", `$apr1$${fake("crypt", 8)}$${fake("crypt", 22)}`, (s) => `ci:${s}`),
  shape(
    "MySQL hash",
    `*${fake("hex", 40).toUpperCase()}`,
    (s) => `ALTER USER 'app'@'%' IDENTIFIED WITH mysql_native_password AS '${s}'`,
  ),
  shape(
    "SCRAM",
    `SCRAM-SHA-256$4096:${fake("base64", 22)}==$${fake("base64", 43)}=:${fake("base64", 43, 2)}=`,
    (s) => `rolpassword | ${s}`,
  ),
  shape("LDAP", `{SSHA}${fake("base64", 38)}==`, (s) => `userPassword: ${s}`),
  shape("netrc", fake("base62", 12, 47), (s) => `machine api.example.com login ci password ${s}`),
  shape("pgpass", fake("base62", 12, 48), (s) => `db.example.com:5432:shop:app:${s}`),
  shape("prose", fake("base62", 10, 49), (s) => `The password is ${s}, please change it.`),
  shape(
    "prose, quoted",
    `Winter${fake("digits", 4)}!`,
    (s) => `I logged in as admin with the password "${s}" and it failed`,
  ),
  shape("SQL", fake("base62", 10, 50), (s) => `CREATE USER app IDENTIFIED BY '${s}';`),
  shape("SQL role", fake("base62", 10, 51), (s) => `ALTER ROLE app WITH LOGIN PASSWORD '${s}';`),
  shape(
    "helm",
    fake("base62", 10, 52),
    (s) => `helm upgrade db bitnami/postgresql --set auth.postgresPassword=${s} --wait`,
  ),
  shape(
    "kubectl literal",
    fake("base62", 10, 53),
    (s) => `kubectl create secret generic db --from-literal=url=${s}`,
  ),
  shape(
    "Python",
    fake("base62", 10, 54),
    (s) => `conn = connect(host="db", password='${s}', port=5432)`,
  ),
  shape("Ruby", fake("base62", 10, 55), (s) => `{ :user => "app", :password => "${s}" }`),
  shape("Go", fake("base62", 10, 56), (s) => `Config{User: "app", DBPassword: "${s}"}`),
  shape(
    "openssl",
    fake("base62", 10, 57),
    (s) => `openssl rsa -in k.pem -passin pass:${s} -out o.pem`,
  ),
  shape(
    "one-time password",
    fake("base32", 32),
    (s) => `otpauth://totp/Shop:app?secret=${s}&issuer=Shop`,
  ),
  shape(
    "PowerShell",
    fake("base62", 10, 58),
    (s) => `ConvertTo-SecureString "${s}" -AsPlainText -Force`,
  ),
  shape("smbclient", fake("base62", 10, 59), (s) => `smbclient //files/share -U backup%${s}`),
  shape("npmrc", fake("base62", 36, 60), (s) => `//registry.example.com/:_authToken=${s}`),
  shape("header of a key", fake("base64url", 32, 62), (s) => `Fastly-Key: ${s}`),
  shape("header of a key in hex", fake("hex", 37, 63), (s) => `curl -H 'X-Auth-Key: ${s}'`),
  shape("variable of a key", fake("base62", 24, 64), (s) => `export STRIPE_KEY=${s}`),
  shape("option of a key", fake("base62", 24, 65), (s) => `{ paymentKey: "${s}", retries: 3 }`),
  shape(
    "log that quotes twice",
    fake("base62", 10, 66),
    (s) => `msg="set password: "${s}" failed"`,
  ),
  shape("Wi-Fi", fake("base62", 12, 61), (s) => `network={ ssid="office" psk="${s}" }`),
];

/** Every shape. They were written before the rules, and those at odd places were kept unseen until the rules were done. */
export const secretShapes: readonly SecretShape[] = [...tokens, ...places];
