resource "cwp_setting" "defenders" {
  kind = "defender_settings"
  body = {
    disconnectPeriodDays = 4
    listeningPort        = 9998
  }
}
