# One ordinary sign-in with the gem openid_connect, as in its README.
#
# Reads a line of JSON (issuer, client_id, client_secret, redirect_uri, ca), writes the URL of the authorization request, reads the
# URL to which the browser was redirected, and writes the outcome: "+" or the step at which the gem failed, and its message.
require "json"
require "openid_connect"

provider = JSON.parse($stdin.gets)
NONCE = "nonce-of-a-sign-in-0123456789".freeze
STATE = "state-of-a-sign-in-0123456789".freeze
$stdout.sync = true

# The current step, which a failure is reported for.
step = "discovery"
begin
  OpenIDConnect.http_config { |http| http.ssl_config.add_trust_ca(provider["ca"]) }
  SWD.http_config { |http| http.ssl_config.add_trust_ca(provider["ca"]) } if defined?(SWD)
  document = OpenIDConnect::Discovery::Provider::Config.discover!(provider["issuer"])
  step = "authorization"
  client = OpenIDConnect::Client.new(
    identifier: provider["client_id"], secret: provider["client_secret"], redirect_uri: provider["redirect_uri"],
    authorization_endpoint: document.authorization_endpoint, token_endpoint: document.token_endpoint,
    userinfo_endpoint: document.userinfo_endpoint
  )
  puts JSON.generate("address" => client.authorization_uri(scope: %i[openid profile email], state: STATE, nonce: NONCE))
  back = Rack::Utils.parse_query(URI.parse($stdin.gets.strip).query)
  step = "callback"
  raise back["error"] if back["error"]
  raise "another state came back" unless back["state"] == STATE
  client.authorization_code = back["code"]
  step = "token"
  token = client.access_token!(:basic)
  step = "id_token"
  id_token = OpenIDConnect::ResponseObject::IdToken.decode(token.id_token, document.jwks)
  id_token.verify!(issuer: provider["issuer"], client_id: provider["client_id"], nonce: NONCE)
  step = "userinfo"
  token.userinfo!
  puts JSON.generate("outcome" => "+", "words" => "")
rescue StandardError => e
  puts JSON.generate("outcome" => step, "words" => "#{e.class}: #{e.message}"[0, 300])
end
